//! Packages of npm that tests run with node: fetched once into the folder of the tests.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Returns the folder `node_modules` with these packages, each with its version. `folder` is the
/// `CARGO_TARGET_TMPDIR` of the test. No script of a package runs during the installation.
///
/// # Panics
/// When npm fails, or is not installed.
pub fn modules(folder: &str, packages: &[&str]) -> PathBuf {
    let name = packages.join("+").replace('/', "-");
    let folder = Path::new(folder).join(name);
    if !folder.exists() {
        let partial = folder.with_extension(std::process::id().to_string());
        fs::create_dir_all(&partial).expect("a folder");
        let options = ["install", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--prefix"];
        let output = Command::new("npm").args(options).arg(&partial).args(packages).output();
        let output = output.expect("`npm` is on the PATH: this test needs node with npm");
        assert!(output.status.success(), "npm failed: {}", String::from_utf8_lossy(&output.stderr));
        // Another test binary may have been faster.
        if fs::rename(&partial, &folder).is_err() {
            let _ = fs::remove_dir_all(&partial);
        }
    }
    folder.join("node_modules")
}

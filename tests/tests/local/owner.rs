//! A process that owns a server, observed from outside.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Returns the command of the program in `src/bin`, asked to do `what`, without a place of a server in its environment.
pub(crate) fn command(what: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_local-owner"));
    command.arg(what).env_remove("MONGODB_URI").stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// A process that owns servers, and the output of the process.
pub(crate) struct Owner {
    pub(crate) process: Child,
    output: BufReader<ChildStdout>,
    pub(crate) pids: Vec<u32>,
    pub(crate) directories: Vec<PathBuf>,
}

impl Owner {
    /// Starts the process, and waits until the server of the process takes writes.
    pub(crate) fn start(what: &str) -> Self {
        let mut process = command(what).stderr(Stdio::null()).spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut owner = Owner { process, output, pids: Vec::new(), directories: Vec::new() };
        let mut line = String::new();
        while owner.output.read_line(&mut line).unwrap() > 0 {
            match line.trim().split_once(' ').unwrap() {
                ("pid", pid) => owner.pids.push(pid.parse().unwrap()),
                ("directory", path) => owner.directories.push(PathBuf::from(path)),
                ("error", error) => panic!("{error}"),
                ("ready", _) => return owner,
                _ => {}
            }
            line.clear();
        }
        panic!("it ended before its server was ready");
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.process.wait().unwrap()
    }

    /// Waits until all servers and directories of the process are gone.
    pub(crate) fn assert_all_gone(&self) {
        assert!(!self.pids.is_empty() && !self.directories.is_empty());
        for pid in &self.pids {
            assert!(becomes_true(|| !is_alive(*pid)), "mongod {pid} still runs");
        }
        for directory in &self.directories {
            assert!(becomes_true(|| !directory.exists()), "{} is still there", directory.display());
        }
    }

    /// Fails unless all servers of the process run and have their directories.
    pub(crate) fn assert_all_there(&self) {
        assert!(!self.pids.is_empty() && !self.directories.is_empty());
        assert!(self.pids.iter().all(|pid| is_alive(*pid)));
        assert!(self.directories.iter().all(|directory| directory.join("mongod.log").exists()));
    }
}

/// Returns the output of a process that starts a server and ends, with true for a successful exit status.
pub(crate) fn output(command: &mut Command) -> (bool, String) {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

/// Returns whether a process with this id exists.
pub(crate) fn is_alive(pid: u32) -> bool {
    let status = Command::new("kill").args(["-0", &pid.to_string()]).stderr(Stdio::null()).status();
    status.unwrap().success()
}

/// Returns whether the condition becomes true.
pub(crate) fn becomes_true(condition: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + schema_tests::PATIENCE;
    while !condition() {
        if Instant::now() > deadline {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
    true
}

/// Writes an executable shell script. A shell writes the file: a process that this process starts meanwhile would
/// inherit a file that is open for writing, and the system runs no such file.
pub(crate) fn script(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut shell = shell.spawn().unwrap();
    write!(shell.stdin.take().unwrap(), "#!/bin/sh\n{text}\n").unwrap();
    assert!(shell.wait().unwrap().success());
}

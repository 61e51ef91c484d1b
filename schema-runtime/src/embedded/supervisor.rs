//! Keeps one mongod and its directory, and takes both away when their owner goes, however it goes.
//!
//! A small shell process stands between (`supervisor.sh`): it starts mongod and reads a pipe that this process holds open.
//! When the pipe closes - dropped here, or by the operating system because the process ended, panicked or was killed - it
//! kills mongod and removes the directory. It has a process group of its own, so that a Ctrl-C in the terminal does not end
//! it before its work. Nothing here needs a runtime: a supervisor may outlive the one it was made in.

use std::{
    fs,
    io::{self, BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::watch;

use super::{directory::DataDirectory, source::failure};
use crate::error::Result;

/// How long a drop waits for mongod and its directory to go. They go in any case, but then after this process.
const PATIENCE: Duration = Duration::from_secs(10);

/// Of what mongod said, at most this many lines go into an error.
const LAST_LINES: usize = 12;

const SCRIPT: &str = include_str!("supervisor.sh");

/// One mongod that runs, or has ended and can be started again from its directory.
#[derive(Debug)]
pub(super) struct Supervisor {
    shell: Child,
    pipe: Option<ChildStdin>,
    directory: DataDirectory,
    pid: u32,
    ended: watch::Receiver<bool>,
}

impl Supervisor {
    /// Starts `command`. The directory goes with the supervisor.
    pub(super) fn start(directory: DataDirectory, command: &[String]) -> Result<Self> {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", SCRIPT, "schema-mongod-supervisor"]).arg(directory.path()).args(command);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        own_process_group(&mut shell);
        let mut shell = shell.spawn().map_err(|error| failure(format!("/bin/sh cannot be run: {error}")))?;
        let (pipe, output) = (shell.stdin.take(), shell.stdout.take());
        let mut output = BufReader::new(output.ok_or_else(|| failure("/bin/sh has no standard output".to_owned()))?);
        let pid = supervised(&mut output).map_err(|error| failure(format!("/bin/sh did not start mongod: {error}")))?;
        let ended = watch_end(output);
        Ok(Supervisor { shell, pipe, directory, pid, ended })
    }

    /// The process id of mongod.
    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    /// Comes back when mongod has ended.
    pub(super) async fn ended(&self) {
        // An error means that the watching thread is gone, and it goes last.
        let _ = self.ended.clone().wait_for(|ended| *ended).await;
    }

    /// Kills mongod as a crash would. Its directory stays until this supervisor goes.
    pub(super) async fn kill(&mut self) -> Result<()> {
        self.say("kill\n")?;
        self.ended().await;
        Ok(())
    }

    /// Leaves the directory to another supervisor that has been started for it.
    pub(super) fn hand_over(mut self) -> Result<()> {
        self.say("keep\n")
    }

    fn say(&mut self, word: &str) -> Result<()> {
        let pipe = self.pipe.as_mut().ok_or_else(|| failure("the supervisor is gone".to_owned()))?;
        pipe.write_all(word.as_bytes()).map_err(|error| failure(format!("the supervisor is gone: {error}")))
    }

    /// What mongod said of why it ended: the errors in its log, or else all it said; the last lines of that.
    pub(super) fn last_words(&self) -> String {
        let read = |name| fs::read_to_string(self.directory.path().join(name)).unwrap_or_default();
        let (log, stderr) = (read("mongod.log"), read("stderr"));
        let is_error = |line: &&str| line.contains(r#""s":"E""#) || line.contains(r#""s":"F""#);
        let errors: Vec<&str> = log.lines().filter(is_error).collect();
        let lines = if errors.is_empty() { stderr.lines().chain(log.lines()).collect() } else { errors };
        lines[lines.len().saturating_sub(LAST_LINES)..].join("\n")
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        drop(self.pipe.take());
        let deadline = Instant::now() + PATIENCE;
        while matches!(self.shell.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// The process id of mongod, from the shell's own line among what mongod itself may print.
fn supervised(output: &mut BufReader<ChildStdout>) -> io::Result<u32> {
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        if let Some(pid) = text.trim().strip_prefix("supervised ").and_then(|pid| pid.parse().ok()) {
            return Ok(pid);
        }
        line.clear();
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

/// Turns the end of mongod's standard output into an event. A thread of its own, so that no runtime is held.
fn watch_end(mut output: BufReader<ChildStdout>) -> watch::Receiver<bool> {
    let (sender, receiver) = watch::channel(false);
    thread::spawn(move || {
        let _ = io::copy(&mut output, &mut io::sink());
        let _ = sender.send(true);
    });
    receiver
}

#[cfg(unix)]
fn own_process_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_process_group(_: &mut Command) {}

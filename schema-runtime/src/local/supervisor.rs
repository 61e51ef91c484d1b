//! Keeps one mongod and its directory, and removes both when the owner ends, however the owner ends.
//!
//! A small shell process (`supervisor.sh`) stands between this process and mongod. The shell starts mongod and reads a
//! pipe that this process holds open. When the pipe closes - dropped here, or by the operating system because the
//! process ended, panicked or was killed - the shell kills mongod and removes the directory. The shell has a separate
//! process group, so that a Ctrl-C in the terminal does not end the shell before its work. Nothing here needs a
//! runtime: a supervisor may outlive the runtime of its start.

use std::{
    collections::VecDeque,
    fs,
    io::{self, BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::watch;

use super::{directory::DataDirectory, source::failure};
use crate::error::Result;

/// The maximum time that a drop waits for the end of mongod and its directory. After a longer time, both still end, but
/// after this process.
const PATIENCE: Duration = Duration::from_secs(10);

/// The maximum number of lines of the output of mongod in an error.
const LAST_LINES: usize = 12;

const SCRIPT: &str = include_str!("supervisor.sh");

type Lines = Vec<String>;

/// One mongod that runs, or has ended and can be started again from its directory.
#[derive(Debug)]
pub(super) struct Supervisor {
    shell: Child,
    pipe: Option<ChildStdin>,
    directory: DataDirectory,
    pid: u32,
    /// `None` while mongod runs, then the last lines of the standard output of mongod.
    ended: watch::Receiver<Option<Lines>>,
}

impl Supervisor {
    /// Starts `command`. The directory is removed with the supervisor.
    pub(super) fn start(directory: DataDirectory, command: &[String]) -> Result<Self> {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", SCRIPT, "schema-mongod-supervisor"]).arg(directory.path()).args(command);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        own_process_group(&mut shell);
        let mut shell = shell.spawn().map_err(|error| failure(format!("/bin/sh cannot be run: {error}")))?;
        let (pipe, output) = (shell.stdin.take(), shell.stdout.take());
        let mut output = BufReader::new(output.ok_or_else(|| failure("/bin/sh has no standard output".to_owned()))?);
        let mut said = VecDeque::new();
        let pid = supervised(&mut output, &mut said)
            .map_err(|error| failure(format!("/bin/sh did not start mongod: {error}")))?;
        let ended = watch_end(output, said);
        Ok(Supervisor { shell, pipe, directory, pid, ended })
    }

    /// Returns the process id of mongod.
    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    /// Returns after mongod has ended.
    pub(super) async fn ended(&self) {
        // An error means that the watching thread is gone, and the thread ends after mongod.
        let _ = self.ended.clone().wait_for(Option::is_some).await;
    }

    /// Kills mongod as a crash would. The directory stays until the supervisor is dropped.
    pub(super) async fn kill(&mut self) -> Result<()> {
        self.say("kill\n")?;
        self.ended().await;
        Ok(())
    }

    /// Leaves the directory to another supervisor that is already started for the directory.
    pub(super) fn hand_over(mut self) -> Result<()> {
        self.say("keep\n")
    }

    fn say(&mut self, word: &str) -> Result<()> {
        let pipe = self.pipe.as_mut().ok_or_else(|| failure("the supervisor is gone".to_owned()))?;
        pipe.write_all(word.as_bytes()).map_err(|error| failure(format!("the supervisor is gone: {error}")))
    }

    /// Returns the last lines of mongod about its end: the errors in the log, or else the printed lines, or else the
    /// log.
    pub(super) fn last_words(&self) -> String {
        let read = |name| fs::read_to_string(self.directory.path().join(name)).unwrap_or_default();
        let (log, stderr) = (read("mongod.log"), read("stderr"));
        let is_error = |line: &&str| line.contains(r#""s":"E""#) || line.contains(r#""s":"F""#);
        let errors: Vec<&str> = log.lines().filter(is_error).collect();
        let printed = self.ended.borrow().clone().unwrap_or_default();
        let printed: Vec<&str> = printed.iter().map(String::as_str).chain(stderr.lines()).collect();
        let said = [errors, printed, log.lines().collect()].into_iter().find(|lines| !lines.is_empty());
        let said = said.unwrap_or_default();
        said[said.len().saturating_sub(LAST_LINES)..].join("\n")
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

/// Returns the process id of mongod, from the line of the shell; earlier lines of mongod go to `said`.
fn supervised(output: &mut impl BufRead, said: &mut VecDeque<String>) -> io::Result<u32> {
    while let Some(line) = next_line(output)? {
        match line.strip_prefix("supervised ").and_then(|pid| pid.parse().ok()) {
            Some(pid) => return Ok(pid),
            None => keep_last(said, line),
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

/// Turns the end of the standard output of mongod into an event with the last lines of the output. Uses a separate
/// thread, so that no runtime is held.
fn watch_end(mut output: impl BufRead + Send + 'static, mut said: VecDeque<String>) -> watch::Receiver<Option<Lines>> {
    let (sender, receiver) = watch::channel(None);
    thread::spawn(move || {
        while let Ok(Some(line)) = next_line(&mut output) {
            keep_last(&mut said, line);
        }
        let _ = sender.send(Some(said.into()));
    });
    receiver
}

fn next_line(output: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let read = output.read_until(b'\n', &mut line)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim_end().to_owned()))
}

fn keep_last(lines: &mut VecDeque<String>, line: String) {
    lines.push_back(line);
    if lines.len() > LAST_LINES {
        lines.pop_front();
    }
}

#[cfg(unix)]
fn own_process_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_process_group(_: &mut Command) {}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use super::*;

    /// Runs the script to its end for a program that would run for long, as if the owner had ended at once.
    fn run_script(directory: &Path, words: &str) {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", SCRIPT, "test"]).arg(directory).args(["sleep", "1000"]);
        let mut shell = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        shell.stdin.take().unwrap().write_all(words.as_bytes()).unwrap();
        shell.wait().unwrap();
    }

    /// Makes a directory with a file, so that an `rmdir` would not be enough.
    fn filled(path: &Path) {
        fs::create_dir_all(path).unwrap();
        fs::write(path.join("data"), "").unwrap();
    }

    #[test]
    fn its_directory_goes_and_nothing_beside_it() {
        let base = tempfile::tempdir().unwrap();
        let (own, other) = (base.path().join("schema-mongod-own"), base.path().join("schema-mongod-other"));
        filled(&own);
        filled(&other);
        run_script(&own, "");
        assert!(!own.exists());
        assert!(other.join("data").exists());
    }

    #[test]
    fn a_directory_that_was_not_made_for_it_stays() {
        let base = tempfile::tempdir().unwrap();
        let own = base.path().join("schema-mongod-own");
        let inner = own.join("inner");
        let named_otherwise = base.path().join("somebody-else");
        filled(&inner);
        filled(&named_otherwise);
        for directory in [base.path(), &named_otherwise, &inner, &own.join(".."), &own.join("inner/..")] {
            run_script(directory, "");
            assert!(inner.join("data").exists(), "{}", directory.display());
            assert!(named_otherwise.join("data").exists(), "{}", directory.display());
        }
    }

    #[test]
    fn a_directory_that_was_handed_over_stays() {
        let base = tempfile::tempdir().unwrap();
        let own = base.path().join("schema-mongod-own");
        filled(&own);
        run_script(&own, "kill\nkeep\n");
        assert!(own.join("data").exists());
    }

    #[tokio::test]
    async fn the_end_of_the_program_is_seen_and_its_words_are_kept() {
        let directory = DataDirectory::new(None).unwrap();
        let script = "echo noise; echo no library >&2; exit 3";
        let command = ["/bin/sh", "-c", script].map(str::to_owned);
        let supervisor = Supervisor::start(directory.clone(), &command).unwrap();
        supervisor.ended().await;
        assert_eq!(supervisor.last_words(), "noise\nno library");
        drop(supervisor);
        assert!(!directory.path().exists());
    }

    #[tokio::test]
    async fn a_kill_leaves_the_directory_to_the_next() {
        let directory = DataDirectory::new(None).unwrap();
        let command = ["sleep", "1000"].map(str::to_owned);
        let mut first = Supervisor::start(directory.clone(), &command).unwrap();
        first.kill().await.unwrap();
        let second = Supervisor::start(directory.clone(), &command).unwrap();
        assert_ne!(first.pid(), second.pid());
        first.hand_over().unwrap();
        assert!(directory.path().exists());
        drop(second);
        assert!(!directory.path().exists());
    }
}

//! A run of the program that a test stops by a signal.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, ChildStderr, Command, Stdio},
};

use crate::program::Ended;

/// A running program. The test reads the standard error line by line.
pub(crate) struct Running {
    child: Child,
    stderr: BufReader<ChildStderr>,
    said: String,
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Self {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let stderr = BufReader::new(child.stderr.take().expect("the standard error"));
        Running { child, stderr, said: String::new() }
    }

    /// Waits for a line with this text on the standard error.
    pub(crate) async fn until(self, text: &'static str) -> Self {
        let wait = move || {
            let mut running = self;
            loop {
                let before = running.said.len();
                let read = running.stderr.read_line(&mut running.said).expect("UTF-8");
                assert!(read > 0, "the program ends without `{text}`: {}", running.said);
                if running.said[before..].contains(text) {
                    return running;
                }
            }
        };
        tokio::task::spawn_blocking(wait).await.expect("the text")
    }

    /// Sends a signal, as `INT`.
    pub(crate) fn signal(&self, name: &str) {
        let arguments = [format!("-{name}"), self.child.id().to_string()];
        let status = Command::new("kill").args(arguments).status().expect("`kill` runs");
        assert!(status.success(), "{status}");
    }

    /// Waits for the end.
    pub(crate) async fn end(self) -> Ended {
        let wait = move || {
            let Running { child, mut stderr, said: mut all } = self;
            let output = child.wait_with_output().expect("the end");
            stderr.read_to_string(&mut all).expect("UTF-8");
            let stdout = String::from_utf8(output.stdout).expect("UTF-8");
            Ended { code: output.status.code(), stdout, stderr: all }
        };
        tokio::task::spawn_blocking(wait).await.expect("the end")
    }
}

//! A program at a pseudo terminal of a given width. The tests set `TERM` for the program, and read nothing of the
//! terminal of the tests.

use std::{
    io::{Read, Write},
    process::Command,
    sync::mpsc::{self, Receiver},
    time::Instant,
};

use portable_pty::{Child, CommandBuilder, PtyPair, PtySize, native_pty_system};
use schema_tests::PATIENCE;

fn size(columns: u16) -> PtySize {
    PtySize { rows: 24, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// A running program at a terminal.
pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    chunks: Receiver<Vec<u8>>,
    pub(crate) shown: String,
    /// The terminal closes when the pair is dropped.
    pair: PtyPair,
}

impl Terminal {
    /// Starts the program at a terminal of this width.
    pub(crate) fn new(command: &Command, term: &str, columns: u16) -> Self {
        let pair = native_pty_system().openpty(size(columns)).expect("a pseudo terminal");
        let mut builder = CommandBuilder::new(command.get_program());
        builder.args(command.get_args());
        builder.env_clear();
        for (name, value) in command.get_envs() {
            builder.env(name, value.expect("a value"));
        }
        builder.env("TERM", term);
        let child = pair.slave.spawn_command(builder).expect("a child");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let keys = pair.master.take_writer().expect("a writer");
        let (sender, chunks) = mpsc::channel();
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut chunk) {
                if sender.send(chunk[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Terminal { child, keys, chunks, shown: String::new(), pair }
    }

    /// Waits until the terminal shows a text.
    pub(crate) fn until(&mut self, text: &str) {
        let begun = Instant::now();
        while !self.shown.contains(text) {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            match self.chunks.recv_timeout(left) {
                Ok(chunk) => self.shown.push_str(&String::from_utf8_lossy(&chunk)),
                Err(error) => panic!("{error}: `{text}` is not shown:\n{}", self.shown),
            }
        }
    }

    /// Changes the width of the terminal.
    pub(crate) fn resize(&mut self, columns: u16) {
        self.pair.master.resize(size(columns)).expect("the terminal takes the size");
    }

    /// Writes keys into the terminal.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("the terminal takes keys");
    }

    /// Waits for the end, and returns the exit code and the shown text.
    pub(crate) fn end(mut self) -> (u32, String) {
        let code = self.child.wait().expect("the end").exit_code();
        drop(self.pair);
        drop(self.keys);
        for chunk in self.chunks {
            self.shown.push_str(&String::from_utf8_lossy(&chunk));
        }
        (code, self.shown)
    }
}

/// Runs a function that waits, on a thread for such functions.
pub(crate) async fn blocking<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(run).await.expect("the run")
}

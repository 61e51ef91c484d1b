//! A client as a separate process that is killed (SIGKILL).

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use mongodb::{Database, bson::doc};
use schema_tests::{end_transactions, scale::Scale};

/// A client as a separate process.
pub(crate) struct Client {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Client {
    /// Starts the client, and waits for its connection.
    pub(crate) fn start(db: &Database, uri: &str, what: &str, number: i64) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_killed-client"));
        command.args([uri, db.name(), what, &number.to_string()]).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the client starts");
        let mut said = BufReader::new(child.stdout.take().expect("its output"));
        let mut line = String::new();
        said.read_line(&mut line).expect("a line");
        assert_eq!(line, "ready\n");
        Client { child, said }
    }

    /// Waits for the end of the client, and returns the output of the client.
    pub(crate) fn wait(mut self) -> String {
        let mut said = String::new();
        self.said.read_to_string(&mut said).expect("lines");
        self.child.wait().expect("it ends");
        said
    }

    /// Kills the client after this time, and returns the output of the client.
    pub(crate) fn kill_after(mut self, time: Duration) -> String {
        std::thread::sleep(time);
        self.child.kill().expect("it is killed");
        let said = self.wait();
        assert!(!said.contains("error"), "{said}");
        said
    }
}

/// Returns whether another round follows: until the asked number of rounds, and until a kill came in the middle of a
/// write.
pub(crate) fn another(round: u32, rounds: Scale, in_the_middle: u64) -> bool {
    round < rounds.now() || (in_the_middle == 0 && round < 4 * rounds.long)
}

/// Returns a number between 0 and 1 for each round, spread evenly, and different in each process.
pub(crate) fn spread(round: u32) -> f64 {
    let begin = std::process::id() as f64 / 1_000.0;
    (begin + f64::from(round) * 0.618_033_988_749_895).fract()
}

/// Waits until the server runs no command of the killed client, ends the client's transactions, and returns the number
/// of ended transactions.
pub(crate) async fn settled(db: &Database) -> usize {
    let begun = Instant::now();
    loop {
        let of_it =
            doc! { "appName": db.name(), "active": true, "op": { "$in": ["insert", "update", "remove", "command"] } };
        let others = doc! { "command.$db": { "$ne": "admin" } };
        let pipeline = vec![
            doc! { "$currentOp": { "allUsers": true, "idleSessions": false } },
            doc! { "$match": of_it },
            doc! { "$match": others },
        ];
        let mut found = db.client().database("admin").aggregate(pipeline).await.expect("what runs");
        if !found.advance().await.expect("a document") {
            break;
        }
        assert!(begun.elapsed() < schema_tests::PATIENCE, "a command of a killed client never ends");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    end_transactions(db).await
}

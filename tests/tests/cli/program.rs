//! The runs of the program of the tests: `schema-program`, with a server and a database.

use std::process::Command;

use mongodb::Database;
use schema_tests::{database, server};
use serde_json::Value;

/// The program on a database of its own.
pub(crate) struct Program {
    pub(crate) db: Database,
    uri: String,
    /// The name of the schema of the program.
    schema: &'static str,
}

/// The end of a run.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Program {
    /// Returns the program on a new database.
    pub(crate) async fn new() -> Self {
        Self::with("products").await
    }

    /// Returns the program with the schema of this name, on a new database.
    pub(crate) async fn with(schema: &'static str) -> Self {
        Program { db: database().await, uri: server().await.uri().to_owned(), schema }
    }

    /// Returns the command of the program with these arguments. Nothing of the environment of the tests is there.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        command.env("MONGODB_URI", &self.uri).args(["--database", self.db.name()]);
        command.env("SCHEMA_TESTS_SCHEMA", self.schema);
        command
    }

    /// Returns the connection string of the server.
    pub(crate) fn uri(&self) -> &str {
        &self.uri
    }

    /// Runs the program.
    pub(crate) async fn run(&self, arguments: &[&str]) -> Ended {
        run(self.command(arguments)).await
    }

    /// Runs the program with another schema.
    pub(crate) async fn run_with(&self, schema: &str, arguments: &[&str]) -> Ended {
        let mut command = self.command(arguments);
        command.env("SCHEMA_TESTS_SCHEMA", schema);
        run(command).await
    }

    /// Runs the program with `--json`, and returns the code and the document.
    pub(crate) async fn json(&self, arguments: &[&str]) -> (Option<i32>, Value) {
        let ended = self.run(&[arguments, &["--json"]].concat()).await;
        let json: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:?}"));
        assert_eq!(json["format"], 1, "{ended:?}");
        (ended.code, json)
    }
}

/// Returns the command of the program, without a server.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_schema-program"));
    command.env_clear().args(arguments);
    command
}

/// Runs a command to its end. The standard input is empty.
pub(crate) async fn run(command: Command) -> Ended {
    let mut command = assert_cmd::Command::from_std(command);
    let output = tokio::task::spawn_blocking(move || command.output()).await.expect("the run").expect("the program");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ended { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

impl Ended {
    /// Asserts the exit code, and returns the standard output.
    #[track_caller]
    pub(crate) fn with(&self, code: i32) -> &str {
        assert_eq!(self.code, Some(code), "{self:?}");
        &self.stdout
    }
}

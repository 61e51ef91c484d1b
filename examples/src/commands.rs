//! The command line of an example's schema: `cargo run --example store -- db plan`.

use std::process::ExitCode;

use clap::Parser;
use schema_runtime::{Schema, cli::Db};

/// The command line of an example.
#[derive(Parser)]
enum Arguments {
    /// Plan, apply and check the database of the example
    Db(Db),
}

/// Runs a command on the schema of an example, when the arguments begin with `db`. Returns the exit code of the
/// command; `None` without a command, when the example itself runs.
pub async fn run_db(schema: Schema) -> Option<ExitCode> {
    if std::env::args_os().nth(1).is_none_or(|argument| argument != "db") {
        return None;
    }
    let Arguments::Db(db) = Arguments::parse();
    Some(db.run(schema).await)
}

//! The command line of a schema, as a library (feature `cli`): see [the page `cli`](crate::guide). `commands`
//! has the list of commands, and a file for each command. A command turns arguments into data, and data into text and
//! JSON.

mod commands;
mod duration;
mod exit;
mod failure;
mod file;
mod maintained;
mod output;
mod program;
mod progress;
mod prompt;
mod rights;
mod selected;
mod server;
mod session;
mod speed;
mod stop;
mod written;

use std::process::ExitCode;

use futures_util::{FutureExt, future::BoxFuture};

use self::{commands::Command, session::Session};
use crate::Schema;

/// The arguments that all commands have.
#[derive(Clone, Debug, clap::Args)]
struct CommonArguments {
    #[command(flatten)]
    server: server::ServerArguments,
    /// Write one JSON document to the standard output, errors too
    #[arg(long, global = true, help_heading = "Output")]
    json: bool,
    /// The use of colors
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, help_heading = "Output")]
    color: output::Color,
    /// The form of progress on the standard error
    #[arg(long, value_name = "FORM", default_value = "auto", global = true, help_heading = "Output")]
    progress: progress::ProgressForm,
}

/// The commands of a schema, as a part of the command line of a program: `Db` is a variant of the program's
/// [`Subcommand`](https://docs.rs/clap/latest/clap/trait.Subcommand.html).
///
/// ```
/// use std::process::ExitCode;
///
/// use clap::Parser;
/// use schema_runtime::{cli::Db, prelude::*};
///
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "users")]
/// struct User {
///     #[serde(rename = "_id")]
///     id: ObjectId,
/// }
///
/// #[derive(Parser)]
/// enum Command {
///     /// Serve requests
///     Serve,
///     /// Plan, apply and check the database
///     Db(Db),
/// }
///
/// async fn run(command: Command) -> ExitCode {
///     match command {
///         Command::Serve => ExitCode::SUCCESS,
///         Command::Db(db) => db.run(schema![User]).await,
///     }
/// }
/// ```
#[derive(Clone, Debug, clap::Args)]
pub struct Db {
    #[command(flatten)]
    common: CommonArguments,
    #[command(subcommand)]
    command: Command,
}

impl Db {
    /// Runs the command. Writes the result to the standard output, and progress, questions and errors to the standard
    /// error. Returns an exit code of the table of [the page `cli`](crate::guide).
    pub fn run(self, schema: Schema) -> BoxFuture<'static, ExitCode> {
        self.run_in(schema, None)
    }

    fn run_in(self, schema: Schema, program: Option<clap::Command>) -> BoxFuture<'static, ExitCode> {
        let Db { common, command } = self;
        async move { session::run(command.job(), Session::new(schema, common, program)).await.code() }.boxed()
    }
}

/// Runs the command line of the process: the whole program of a `main`.
///
/// ```no_run
/// use schema_runtime::prelude::*;
///
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "users")]
/// struct User {
///     #[serde(rename = "_id")]
///     id: ObjectId,
/// }
///
/// #[tokio::main]
/// async fn main() -> std::process::ExitCode {
///     schema_runtime::cli::run(schema![User]).await
/// }
/// ```
pub fn run(schema: Schema) -> BoxFuture<'static, ExitCode> {
    match program::parse(std::env::args_os()) {
        Ok((db, program)) => db.run_in(schema, Some(program)),
        Err(exit) => async move { exit.code() }.boxed(),
    }
}

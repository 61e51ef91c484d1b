//! One run of one command: the schema, the server and the output.

use futures_util::future::BoxFuture;
use mongodb::Database;
use serde_json::Value;

use super::{
    CommonArguments,
    exit::Exit,
    failure::Failure,
    output,
    progress::Progress,
    server,
    stop::{FirstStop, Stop, until_stopped},
};
use crate::Schema;

/// The form of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Lines for people: colored on a terminal, without control characters.
    Lines,
    /// The content of a file, byte for byte.
    File,
}

/// The data of a command, as text and as JSON.
pub(super) trait Report: Send {
    fn exit(&self) -> Exit;
    fn form(&self) -> Form {
        Form::Lines
    }
    fn text(&self) -> String;
    fn json(&self) -> Value;
}

/// The result of a command.
pub(super) type Reported = Result<Box<dyn Report>, Failure>;

/// A command: the arguments, and the run that makes the data of the command.
pub(super) trait Job: Sync {
    /// Returns the effect of the first Ctrl-C.
    fn first_stop(&self) -> FirstStop {
        FirstStop::Ends
    }

    fn run<'a>(&'a self, session: &'a Session, stop: Stop) -> BoxFuture<'a, Reported>;
}

/// The surroundings of a command.
pub(super) struct Session {
    pub(super) schema: Schema,
    common: CommonArguments,
    /// The command line of the program; `None` where the commands are a part of another command line.
    pub(super) program: Option<clap::Command>,
}

impl Session {
    pub(super) fn new(schema: Schema, common: CommonArguments, program: Option<clap::Command>) -> Self {
        Session { schema, common, program }
    }

    /// Connects for a command that changes nothing.
    pub(super) async fn connect(&self) -> Result<Database, Failure> {
        self.common.server.connect().await.map(|(db, _)| db)
    }

    /// Connects for a command that may change the database, and first names the server, the database and the user.
    pub(super) async fn connect_to_change(&self) -> Result<Database, Failure> {
        let (db, hosts) = self.common.server.connect().await?;
        output::say(&server::described(&db, &hosts).await?);
        Ok(db)
    }

    /// Begins the progress of `total` parts.
    pub(super) fn progress(&self, verb: &'static str, total: u64) -> Progress {
        Progress::new(self.common.progress, verb, total)
    }

    fn write(&self, report: &dyn Report) -> Result<(), Failure> {
        match (self.common.json, report.form()) {
            (true, _) => output::write_json(report.json()),
            (false, Form::Lines) => output::write_text(&report.text(), self.common.color),
            (false, Form::File) => output::write_bytes(report.text().as_bytes()),
        }
    }
}

/// Runs a command, writes the result or the failure, and returns the exit code.
pub(super) async fn run(job: &dyn Job, session: Session) -> Exit {
    let ended = until_stopped(job.first_stop(), |stop| job.run(&session, stop)).await;
    let written = ended.and_then(|report| session.write(&*report).map(|()| report.exit()));
    written.unwrap_or_else(|failure| {
        match session.common.json {
            true => drop(output::write_json(failure.json())),
            false => output::write_failure(&failure, session.common.color),
        }
        failure.exit()
    })
}

//! `snapshot`: the schema as a file for the repository of the application.

use std::path::PathBuf;

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::json;

use crate::cli::{
    session::{Job, Report, Reported, Session},
    stop::Stop,
    written::Written,
};

/// Write the schema as a file for the repository; needs no server
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct SnapshotArguments {
    /// The file; without a file, the schema goes to the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Job for SnapshotArguments {
    fn run<'a>(&'a self, session: &'a Session, _: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let schema = session.schema.snapshot()?;
            let written = Written::with_json(self.out.as_ref(), "the schema", schema.to_json(), json!(schema))?;
            Ok(Box::new(written) as Box<dyn Report>)
        };
        run.boxed()
    }
}

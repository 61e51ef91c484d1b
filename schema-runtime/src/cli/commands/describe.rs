//! `describe`: the facts of the schema as tables.

use std::path::PathBuf;

use futures_util::{FutureExt, future::BoxFuture};

use crate::{
    cli::{
        file,
        session::{Job, Report, Reported, Session},
        stop::Stop,
        written::Written,
    },
    describe::{DescribeFormat, describe},
};

/// Describe the fields, relations and indexes of the schema; needs no server
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct DescribeArguments {
    /// The form of the description [default: the form that the name of the file ends with, otherwise markdown]
    #[arg(long)]
    format: Option<Format>,
    /// The file; without a file, the description goes to the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The form of the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Markdown with tables
    Markdown,
    /// A page
    Html,
}

impl DescribeArguments {
    fn format(&self) -> DescribeFormat {
        let of_file = || match file::extension(self.out.as_ref()).as_deref() {
            Some("html" | "htm") => Format::Html,
            _ => Format::Markdown,
        };
        match self.format.unwrap_or_else(of_file) {
            Format::Markdown => DescribeFormat::Markdown,
            Format::Html => DescribeFormat::Html,
        }
    }
}

impl Job for DescribeArguments {
    fn run<'a>(&'a self, session: &'a Session, _: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let description = describe(&session.schema.snapshot()?, self.format());
            let written = Written::to(self.out.as_ref(), "the description", description)?;
            Ok(Box::new(written) as Box<dyn Report>)
        };
        run.boxed()
    }
}

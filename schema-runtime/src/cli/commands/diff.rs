//! `diff`: the changes between two schema files, or between a schema file and the schema of the program.

use std::path::{Path, PathBuf};

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::Value;

use crate::{
    cli::{
        exit::Exit,
        failure::Failure,
        file,
        session::{Form, Job, Report, Reported, Session},
        stop::Stop,
    },
    schema_diff::{DeployLevel, SchemaDiff},
    schema_file::SchemaFile,
};

/// Judge the changes of a schema for a deploy; needs no server without `--count`
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct DiffArguments {
    /// The schema file of the version that runs
    old: PathBuf,
    /// The schema file of the version to deploy; by default, the schema of this program
    new: Option<PathBuf>,
    /// The form of the result
    #[arg(long, default_value = "text")]
    format: DiffFormat,
    /// Count the documents of each index build on the server
    #[arg(long)]
    count: bool,
}

/// The form of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum DiffFormat {
    /// Lines for people
    Text,
    /// One JSON document
    Json,
    /// Annotations of GitHub at the lines of the new file
    Github,
}

impl Job for DiffArguments {
    fn run<'a>(&'a self, session: &'a Session, _: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let old = read(&self.old)?;
            let (new, path) = match &self.new {
                Some(new) => (read(new)?, new),
                None => (session.schema.snapshot()?, &self.old),
            };
            let mut diff = SchemaDiff::between(&old, &new);
            if self.count {
                diff.count_documents(&session.schema, &session.connect().await?).await?;
            }
            let annotations = diff.to_annotations(&new, &path.to_string_lossy());
            Ok(Box::new(Compared { diff, annotations, format: self.format }) as Box<dyn Report>)
        };
        run.boxed()
    }
}

fn read(path: &Path) -> Result<SchemaFile, Failure> {
    SchemaFile::from_json(&file::read(path)?).map_err(|error| file::failure(path, &error.to_string()))
}

struct Compared {
    diff: SchemaDiff,
    annotations: String,
    format: DiffFormat,
}

impl Report for Compared {
    fn exit(&self) -> Exit {
        match self.diff.level() {
            DeployLevel::Safe => Exit::Done,
            DeployLevel::NeedsStep => Exit::Pending,
            DeployLevel::Breaks => Exit::Findings,
        }
    }

    fn form(&self) -> Form {
        match self.format {
            DiffFormat::Text => Form::Lines,
            DiffFormat::Json | DiffFormat::Github => Form::File,
        }
    }

    fn text(&self) -> String {
        match self.format {
            DiffFormat::Text => self.diff.to_string(),
            DiffFormat::Json => self.diff.to_json() + "\n",
            DiffFormat::Github => self.annotations.clone(),
        }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.diff.to_json()).unwrap_or_default()
    }
}

//! `check`: whether the database is ready for the application.

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::{Value, json};

use super::plan::steps;
use crate::{
    QueryProblem,
    check::SchemaCheck,
    cli::{
        exit::Exit,
        session::{Job, Report, Reported, Session},
        stop::Stop,
    },
    fit::UnfitDocuments,
};

/// Check that the database is ready: nothing to plan, an index for each declared query
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct CheckArguments {
    /// Also compare up to this number of documents of each collection, taken at random, with the validator
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    fit: Option<u32>,
}

impl Job for CheckArguments {
    fn run<'a>(&'a self, session: &'a Session, _: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let db = session.connect().await?;
            let check = session.schema.check(&db).await?;
            let unfit = match self.fit {
                Some(sample) => Some(session.schema.fit(&db, sample).await?),
                None => None,
            };
            Ok(Box::new(Checked { database: db.name().to_owned(), check, unfit }) as Box<dyn Report>)
        };
        run.boxed()
    }
}

struct Checked {
    database: String,
    check: SchemaCheck,
    /// The collections with documents that do not pass; `None` without `--fit`.
    unfit: Option<Vec<UnfitDocuments>>,
}

impl Report for Checked {
    fn exit(&self) -> Exit {
        match () {
            () if self.check.faults().next().is_some() => Exit::Findings,
            () if self.unfit.as_ref().is_some_and(|unfit| !unfit.is_empty()) => Exit::Findings,
            () if !self.check.plan.is_empty() => Exit::Pending,
            () => Exit::Done,
        }
    }

    fn text(&self) -> String {
        match &self.unfit {
            None => self.check.to_string(),
            Some(unfit) if unfit.is_empty() => format!("{}documents: the sample fits\n", self.check),
            Some(unfit) => {
                let lines = unfit.iter().map(|unfit| format!("documents: {unfit}\n"));
                format!("{}{}", self.check, lines.collect::<String>())
            }
        }
    }

    fn json(&self) -> Value {
        json!({
            "database": self.database,
            "steps": steps(&self.check.plan),
            "queries": self.check.faults().map(problem).collect::<Vec<_>>(),
            "unexplained": self.check.unexplained().map(problem).collect::<Vec<_>>(),
            "unfit": self.unfit.as_ref().map(|unfit| unfit.iter().map(documents).collect::<Vec<_>>()),
        })
    }
}

fn problem(problem: &QueryProblem) -> Value {
    json!({ "model": problem.model, "query": problem.query, "why": problem.why.to_string() })
}

fn documents(unfit: &UnfitDocuments) -> Value {
    json!({
        "model": unfit.model,
        "collection": unfit.collection,
        "sampled": unfit.sampled,
        "refused": unfit.refused,
    })
}

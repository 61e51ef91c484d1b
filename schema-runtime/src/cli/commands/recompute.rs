//! `recompute`: subsets and computed values of parents, from the children.

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::{Value, json};

use crate::{
    cli::{
        exit::Exit,
        maintained::{Maintained, ValuesArgument},
        prompt::agree,
        selected::SelectedModels,
        session::{Job, Report, Reported, Session},
        stop::{FirstStop, Stop},
    },
    recompute::RecomputeReport,
};

/// Recompute the subsets and the computed values of all parents from the children
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct RecomputeArguments {
    #[command(flatten)]
    models: SelectedModels,
    /// Answer the question before the recompute
    #[arg(long)]
    yes: bool,
    /// Print the parents with wrong values, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    values: ValuesArgument,
}

impl Job for RecomputeArguments {
    fn first_stop(&self) -> FirstStop {
        FirstStop::AfterStep
    }

    fn run<'a>(&'a self, session: &'a Session, stop: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            self.models.check(session.schema)?;
            let db = session.connect_to_change().await?;
            let (database, values) = (db.name().to_owned(), self.values);
            let is_wanted = |model: &_| self.models.has(model);
            if self.dry_run {
                let preview = session.schema.preview_recompute(&db, is_wanted);
                let report = stop.halting(&db, preview, "nothing is changed").await?;
                let would = Some("would recompute");
                return Ok(Box::new(Maintained { database, report, would, values }) as Box<dyn Report>);
            }
            if !self.yes {
                agree("recompute the values of all parents?", &stop).await?;
            }
            let recompute = session.schema.recompute(&db, is_wanted);
            let report = stop.halting(&db, recompute, "`recompute` again begins at the first parent").await?;
            Ok(Box::new(Recomputation { database, report, values }) as Box<dyn Report>)
        };
        run.boxed()
    }
}

struct Recomputation {
    database: String,
    report: RecomputeReport,
    values: ValuesArgument,
}

impl Report for Recomputation {
    fn exit(&self) -> Exit {
        let is_refused = self.report.models.iter().any(|model| model.recomputed.refused > 0);
        if is_refused { Exit::Findings } else { Exit::Done }
    }

    fn text(&self) -> String {
        self.report.to_string()
    }

    fn json(&self) -> Value {
        let models = self.report.models.iter().map(|model| {
            let examples = model.recomputed.examples.iter().map(|id| self.values.id(id));
            json!({
                "model": model.model,
                "parents": model.recomputed.parents,
                "refused": model.recomputed.refused,
                "examples": examples.collect::<Vec<_>>(),
            })
        });
        json!({ "database": self.database, "dry_run": false, "models": models.collect::<Vec<_>>() })
    }
}

//! `plan`: the changes that the database needs.

use std::path::PathBuf;

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::{Value, json};

use crate::{
    cli::{
        exit::Exit,
        file,
        session::{Job, Report, Reported, Session},
        stop::Stop,
    },
    plan::{Needs, Plan, Step},
    saved_plan::SavedPlan,
};

/// Print the changes that the database needs, and change nothing
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct PlanArguments {
    /// Save the plan for `apply FILE`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Job for PlanArguments {
    fn run<'a>(&'a self, session: &'a Session, _: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let db = session.connect().await?;
            let plan = session.schema.plan(&db).await?;
            if let Some(out) = &self.out {
                file::write(out, &SavedPlan::new(&session.schema, &plan, &db)?.to_json())?;
            }
            Ok(Box::new(Planned { database: db.name().to_owned(), plan }) as Box<dyn Report>)
        };
        run.boxed()
    }
}

struct Planned {
    database: String,
    plan: Plan,
}

impl Report for Planned {
    fn exit(&self) -> Exit {
        if self.plan.is_empty() { Exit::Done } else { Exit::Pending }
    }

    fn text(&self) -> String {
        self.plan.to_string()
    }

    fn json(&self) -> Value {
        let notes: Vec<String> = self.plan.notes().iter().map(ToString::to_string).collect();
        json!({ "database": self.database, "steps": steps(&self.plan), "notes": notes })
    }
}

/// Returns the steps as JSON.
pub(super) fn steps(plan: &Plan) -> Vec<Value> {
    plan.steps().iter().map(step).collect()
}

/// Returns a step as JSON: the collection, the change in words, and the word of `--allow` that the step needs.
pub(super) fn step(step: &Step) -> Value {
    let mut lines = step.lines().into_iter().map(|line| line.trim_start().to_owned());
    let change = lines.next().unwrap_or_default();
    json!({
        "collection": step.collection,
        "model": step.model,
        "change": change,
        "details": lines.collect::<Vec<_>>(),
        "needs": word(step.needs()),
    })
}

/// Returns the word of `--allow` for steps with this need; `None` where no word does the step, or none is needed.
pub(super) fn word(needs: Needs) -> Option<String> {
    Some(needs.option().replace('_', "-")).filter(|word| !word.is_empty())
}

//! `apply`: the changes of a plan. Destructive steps need a word of `--allow`, and a step that loses data the name of
//! the collection.

use std::{ops::ControlFlow, path::PathBuf};

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::Database;
use serde_json::{Value, json};

use super::plan::{step, word};
use crate::{
    apply::{AppliedStep, ApplyOptions, ApplyReport, Outcome},
    cli::{
        exit::Exit,
        failure::Failure,
        file,
        output::say,
        prompt::{agree, ask},
        session::{Job, Report, Reported, Session},
        stop::{FirstStop, Stop},
    },
    plan::{Needs, Plan, Step},
    report::counted,
    saved_plan::SavedPlan,
};

/// Apply the plan: make what is missing, change what can be changed in place, and drop nothing without `--allow`
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct ApplyArguments {
    /// A plan that `plan --out FILE` saved; the apply is refused if the plan of now differs
    file: Option<PathBuf>,
    /// Kinds of changes beyond adding, separated by commas
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    allow: Vec<Allowed>,
    /// Confirm steps that drop or lose data, by the name of the collection; may be given several times
    #[arg(long, value_name = "COLLECTION", value_delimiter = ',')]
    confirm: Vec<String>,
    /// Answer the question before the apply
    #[arg(long)]
    yes: bool,
    /// Print the report of the apply, and change nothing
    #[arg(long)]
    dry_run: bool,
}

/// A kind of changes that an apply does only on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Allowed {
    /// Drop indexes that no model declares
    DropUndeclared,
    /// Hide indexes that no model declares
    HideUndeclared,
    /// Drop indexes and make the indexes again with other options
    Rebuild,
    /// Replace validators that another program wrote
    ReplaceValidators,
    /// Write all documents anew under another shard key
    Reshard,
    /// Make capped collections smaller, and delete stored images
    Shrink,
    /// Make plain collections capped
    Convert,
    /// Set validators that stored documents do not pass
    #[value(alias = "allow-refused")]
    Refused,
}

impl ApplyArguments {
    fn options(&self) -> ApplyOptions {
        self.allow.iter().fold(ApplyOptions::new(), |options, allowed| match allowed {
            Allowed::DropUndeclared => options.drop_undeclared(true),
            Allowed::HideUndeclared => options.hide_undeclared(true),
            Allowed::Rebuild => options.rebuild(true),
            Allowed::ReplaceValidators => options.replace_validators(true),
            Allowed::Reshard => options.reshard(true),
            Allowed::Shrink => options.shrink(true),
            Allowed::Convert => options.convert(true),
            Allowed::Refused => options.allow_refused(true),
        })
    }

    async fn plan(&self, session: &Session, db: &Database) -> Result<Plan, Failure> {
        let plan = session.schema.plan(db).await?;
        if let Some(path) = &self.file {
            let saved = SavedPlan::from_json(&file::read(path)?);
            let saved = saved.map_err(|error| file::failure(path, &error.to_string()))?;
            saved.check(&SavedPlan::new(&session.schema, &plan, db)?)?;
        }
        Ok(plan)
    }

    /// Asks for the consent that the flags do not give.
    async fn confirm(&self, plan: &Plan, options: ApplyOptions, stop: &Stop) -> Result<(), Failure> {
        let permitted: Vec<&Step> = plan.steps().iter().filter(|step| options.permit(step)).collect();
        let mut losing: Vec<&str> = permitted
            .iter()
            .filter(|step| options.loses(step))
            .map(|step| step.collection.as_str())
            .filter(|collection| !self.confirm.iter().any(|confirmed| confirmed == collection))
            .collect();
        losing.dedup();
        if permitted.is_empty() || self.yes && losing.is_empty() {
            return Ok(());
        }
        say(&plan.to_string());
        let apart = permitted.iter().filter(|step| step.needs() != Needs::Nothing);
        let apart: Vec<String> = apart.flat_map(|step| lines_of(step)).collect();
        if !apart.is_empty() {
            say("by `--allow`, the apply also does:");
            apart.iter().for_each(|line| say(line));
        }
        for collection in losing {
            let question = format!("these steps drop or lose data of `{collection}`: type the name of the collection:");
            let answer = ask(&question, &format!("--confirm {collection}"), stop.clone()).await?;
            if answer != collection {
                return Err(Failure::Unanswered(format!("`{collection}` is not confirmed: nothing is changed")));
            }
        }
        if !self.yes {
            let steps = counted(permitted.len() as u64, "step", "steps");
            agree(&format!("apply {steps}?"), stop).await?;
        }
        Ok(())
    }
}

fn lines_of(step: &Step) -> Vec<String> {
    let lines = step.lines().into_iter().enumerate();
    lines
        .map(|(at, line)| if at == 0 { format!("  {}: {line}", step.collection) } else { format!("  {line}") })
        .collect()
}

impl Job for ApplyArguments {
    fn first_stop(&self) -> FirstStop {
        FirstStop::AfterStep
    }

    fn run<'a>(&'a self, session: &'a Session, stop: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let db = session.connect_to_change().await?;
            let plan = self.plan(session, &db).await?;
            let options = self.options();
            let report = match self.dry_run {
                true => plan.dry_run(&db, options).await?,
                false => {
                    self.confirm(&plan, options, &stop).await?;
                    let mut progress = session.progress("applying", plan.steps().len() as u64);
                    let mut watch = |at: usize, step: &Step| {
                        progress.begin(at as u64, &step.to_string());
                        if stop.is_wished() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    };
                    plan.apply_watched(&db, options, &mut watch).await?
                }
            };
            let database = db.name().to_owned();
            let stopped = stop.is_wished();
            Ok(Box::new(Applied { database, report, dry_run: self.dry_run, stopped }) as Box<dyn Report>)
        };
        run.boxed()
    }
}

struct Applied {
    database: String,
    report: ApplyReport,
    dry_run: bool,
    stopped: bool,
}

impl Applied {
    /// Returns the words of `--allow` that would do the steps that are left.
    fn missing(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for entry in self.report.entries() {
            words.extend(word_of(&entry.outcome).filter(|word| !words.contains(word)));
        }
        words
    }

    fn line(&self, entry: &AppliedStep) -> String {
        let would = if self.dry_run && is_change(&entry.outcome) { "would be " } else { "" };
        format!("{would}{entry}")
    }
}

/// Returns the word of `--allow` that would do a step with this outcome.
fn word_of(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::NotRequested(needs) => word(*needs),
        Outcome::Refused { .. } => Some("refused".to_owned()),
        _ => None,
    }
}

fn is_change(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Done | Outcome::Hidden)
}

impl Report for Applied {
    fn exit(&self) -> Exit {
        let is_refused = |entry: &AppliedStep| matches!(entry.outcome, Outcome::Refused { .. });
        let mut undone = self.report.undone();
        match () {
            () if self.stopped => Exit::Stopped,
            () if self.report.failures().any(|entry| !is_refused(entry)) => Exit::Failed,
            () if undone.any(|entry| word_of(&entry.outcome).is_some()) => Exit::NotAllowed,
            () if self.report.undone().next().is_some() => Exit::Pending,
            () => Exit::Done,
        }
    }

    fn text(&self) -> String {
        if self.report.entries().is_empty() {
            return self.report.to_string();
        }
        let mut lines: Vec<String> = self.report.entries().iter().map(|entry| self.line(entry)).collect();
        let missing = self.missing();
        if !missing.is_empty() {
            let left = if self.report.undone().next().is_some() { "steps are left" } else { "undeclared parts stay" };
            lines.push(format!("{left}: add `--allow {}`", missing.join(",")));
        }
        if self.stopped {
            lines.push("stopped by Ctrl-C: `apply` again does the steps that are left".to_owned());
        }
        lines.join("\n")
    }

    fn json(&self) -> Value {
        let steps = self.report.entries().iter().map(|entry| {
            let mut json = step(&entry.step);
            json["outcome"] = outcome(&entry.outcome).into();
            if let Outcome::Failed(error) = &entry.outcome {
                json["error"] = Failure::from(error.clone()).json()["error"].take();
            }
            json
        });
        json!({
            "database": self.database,
            "dry_run": self.dry_run,
            "stopped": self.stopped,
            "steps": steps.collect::<Vec<_>>(),
            "missing_allow": self.missing(),
        })
    }
}

fn outcome(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "done",
        Outcome::Hidden => "hidden",
        Outcome::AlreadyDone => "already_done",
        Outcome::NotRequested(_) => "not_requested",
        Outcome::Denied { .. } => "denied",
        Outcome::Refused { .. } => "refused",
        Outcome::Failed(_) => "failed",
        Outcome::NotReached => "not_reached",
    }
}

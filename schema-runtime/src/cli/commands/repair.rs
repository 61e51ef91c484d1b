//! `repair`: wrong derived data, which writes outside of this crate have made.

use futures_util::{FutureExt, future::BoxFuture};

use crate::cli::{
    maintained::{Maintained, ValuesArgument},
    prompt::agree,
    selected::SelectedModels,
    session::{Job, Report, Reported, Session},
    speed::SpeedArguments,
    stop::{FirstStop, Stop},
};

/// Repair wrong derived data: copies, mirrors, trees, slugs, buckets, orphans; reads every document
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct RepairArguments {
    #[command(flatten)]
    models: SelectedModels,
    #[command(flatten)]
    speed: SpeedArguments,
    /// Answer the question before the repair
    #[arg(long)]
    yes: bool,
    /// Print the wrong data, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    values: ValuesArgument,
}

impl Job for RepairArguments {
    fn first_stop(&self) -> FirstStop {
        FirstStop::AfterStep
    }

    fn run<'a>(&'a self, session: &'a Session, stop: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            self.models.check(session.schema)?;
            let db = session.connect_to_change().await?;
            let is_wanted = |model: &_| self.models.has(model);
            let report = match self.dry_run {
                true => {
                    let preview = session.schema.preview_repair(&db, is_wanted);
                    stop.halting(&db, preview, "nothing is changed").await?
                }
                false => {
                    if !self.yes {
                        agree("repair the derived data?", &stop).await?;
                    }
                    let throttle = self.speed.throttle_with(session.progress("repairing", 0));
                    let repair = session.schema.repair_some(&db, &throttle, is_wanted);
                    stop.halting(&db, repair, "`repair` again repairs the data that is left").await?
                }
            };
            let (database, would) = (db.name().to_owned(), self.dry_run.then_some("would repair"));
            Ok(Box::new(Maintained { database, report, would, values: self.values }) as Box<dyn Report>)
        };
        run.boxed()
    }
}

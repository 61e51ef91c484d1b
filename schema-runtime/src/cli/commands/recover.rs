//! `recover`: the work that stopped clients have left behind.

use futures_util::{FutureExt, future::BoxFuture};

use crate::cli::{
    maintained::{Maintained, ValuesArgument},
    session::{Job, Report, Reported, Session},
    speed::SpeedArguments,
    stop::{FirstStop, Stop},
};

/// Complete the work that stopped clients have left behind
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct RecoverArguments {
    #[command(flatten)]
    speed: SpeedArguments,
    /// Print the work that is left, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    values: ValuesArgument,
}

impl Job for RecoverArguments {
    fn first_stop(&self) -> FirstStop {
        FirstStop::AfterStep
    }

    fn run<'a>(&'a self, session: &'a Session, stop: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let db = session.connect_to_change().await?;
            let report = match self.dry_run {
                true => stop.halting(&db, session.schema.pending(&db), "nothing is changed").await?,
                false => {
                    let throttle = self.speed.throttle_with(session.progress("recovering", 0));
                    let next = "`recover` again completes the work that is left";
                    stop.halting(&db, session.schema.recover(&db, &throttle), next).await?
                }
            };
            let (database, would) = (db.name().to_owned(), self.dry_run.then_some("would recover"));
            Ok(Box::new(Maintained { database, report, would, values: self.values }) as Box<dyn Report>)
        };
        run.boxed()
    }
}

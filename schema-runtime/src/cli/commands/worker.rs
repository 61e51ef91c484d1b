//! `worker`: the background work of the database, until Ctrl-C or the end signal of the system.

use std::time::Duration;

use futures_util::{
    FutureExt,
    future::{BoxFuture, select},
};
use serde_json::{Value, json};

use crate::{
    cli::{
        duration,
        exit::Exit,
        output::say,
        session::{Job, Report, Reported, Session},
        speed::SpeedArguments,
        stop::{FirstStop, Stop, finish, terminated},
    },
    worker::{Worker, WorkerEvent, WorkerReport},
};

/// Run the background work until Ctrl-C: recoveries at intervals, and copies that follow other programs
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct WorkerArguments {
    /// Recover once, handle all changes so far, and end
    #[arg(long)]
    once: bool,
    /// The time between two recoveries, as `30s` [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    recover_every: Option<Duration>,
    /// The age of a mark from which the writer counts as stopped, as `30s` [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    grace: Option<Duration>,
    /// Let all copies follow writes of other programs, not only `external` copies
    #[arg(long)]
    watch_all_copies: bool,
    #[command(flatten)]
    speed: SpeedArguments,
}

impl WorkerArguments {
    fn set(&self, worker: Worker) -> Worker {
        let mut worker = worker.throttle(self.speed.throttle()).on_progress(say_event);
        if let Some(time) = self.recover_every {
            worker = worker.recover_every(time);
        }
        if let Some(age) = self.grace {
            worker = worker.grace(age);
        }
        if self.watch_all_copies { worker.watch_all_copies() } else { worker }
    }
}

/// Says the events that change something. A worker without work is silent.
fn say_event(event: &WorkerEvent) {
    match event {
        WorkerEvent::Recovered { counts, .. } if counts.is_empty() => {}
        WorkerEvent::Lagging(_) => {}
        event => say(&event.to_string()),
    }
}

impl Job for WorkerArguments {
    fn first_stop(&self) -> FirstStop {
        FirstStop::AfterStep
    }

    fn run<'a>(&'a self, session: &'a Session, stop: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let db = session.connect_to_change().await?;
            let worker = self.set(session.schema.worker(&db));
            let report = match self.once {
                true => {
                    stop.halting(&db, worker.run_once(), "`worker --once` again does the work that is left").await?
                }
                false => {
                    say(match worker.is_needed() {
                        true => "the worker runs until Ctrl-C",
                        false => "no model has work for a worker; the worker waits for Ctrl-C",
                    });
                    let (stopped, ended) = (Box::pin(stop.clone().wished()), Box::pin(terminated()));
                    let report = worker.run_until(async { drop(select(stopped, ended).await) }).await?;
                    finish(&db).await;
                    report
                }
            };
            let (database, stopped) = (db.name().to_owned(), stop.is_wished());
            Ok(Box::new(Worked { database, report, stopped }) as Box<dyn Report>)
        };
        run.boxed()
    }
}

struct Worked {
    database: String,
    report: WorkerReport,
    stopped: bool,
}

impl Report for Worked {
    fn exit(&self) -> Exit {
        if self.stopped { Exit::Stopped } else { Exit::Done }
    }

    fn text(&self) -> String {
        self.report.to_string()
    }

    fn json(&self) -> Value {
        let WorkerReport { recoveries, recovered, events, sources, holders, marks, refused, resyncs, errors } =
            self.report;
        json!({
            "database": self.database,
            "stopped": self.stopped,
            "recoveries": recoveries,
            "recovered": {
                "sources": recovered.sources,
                "holders": recovered.holders,
                "differences": recovered.differences,
                "deletes": recovered.deletes,
                "inserts": recovered.inserts,
                "moves": recovered.moves,
                "refused": recovered.refused,
            },
            "events": events,
            "sources": sources,
            "holders": holders,
            "marks": marks,
            "refused": refused,
            "resyncs": resyncs,
            "errors": errors,
        })
    }
}

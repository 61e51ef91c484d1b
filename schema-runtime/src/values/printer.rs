//! Prints commands in the order of their ends; a read is explained before.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use mongodb::{bson::Document, options::ClientOptions};
use tracing::{Dispatch, Instrument, Span, dispatcher, instrument::WithSubscriber};

use super::{
    TARGET,
    counts::Counts,
    examined::{Explainer, explain_of},
};
use crate::mongosh;

/// A command that has ended.
pub(super) struct Ended {
    pub(super) command: Document,
    pub(super) time: Duration,
    pub(super) counts: Counts,
    /// The code of the server's error, or a word.
    pub(super) error: Option<String>,
}

pub(super) struct Printer {
    explainer: Explainer,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    /// The commands behind a read that is being explained, each with the subscriber and the span of the command.
    waiting: VecDeque<(Ended, Dispatch, Span)>,
    /// True when a task prints the waiting commands.
    is_led: bool,
}

impl Printer {
    pub(super) fn new(options: &ClientOptions) -> Self {
        Printer { explainer: Explainer::new(options), queue: Mutex::default() }
    }

    /// Prints a command: at once, or on a task after the reads before the command are explained.
    pub(super) fn print(self: &Arc<Self>, ended: Ended) {
        let mut queue = self.queue();
        if !queue.is_led && ended.explain().is_none() {
            drop(queue);
            return ended.print(None);
        }
        let subscriber = dispatcher::get_default(Dispatch::clone);
        queue.waiting.push_back((ended, subscriber, Span::current()));
        if !queue.is_led {
            queue.is_led = true;
            tokio::spawn(Leader { printer: Arc::clone(self), has_ended: false }.lead());
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The task that prints. A task that is dropped, as with its runtime, leaves the waiting commands to the next task.
struct Leader {
    printer: Arc<Printer>,
    has_ended: bool,
}

impl Leader {
    async fn lead(mut self) {
        while let Some((ended, subscriber, span)) = self.next() {
            let print = async {
                let examined = match ended.explain() {
                    Some(explain) => self.printer.explainer.examined(ended.database(), explain).await,
                    None => None,
                };
                ended.print(examined);
            };
            print.instrument(span).with_subscriber(subscriber).await;
        }
    }

    /// Returns the next waiting command. Without a waiting command the task ends.
    fn next(&mut self) -> Option<(Ended, Dispatch, Span)> {
        let mut queue = self.printer.queue();
        let next = queue.waiting.pop_front();
        queue.is_led = next.is_some();
        self.has_ended = next.is_none();
        next
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        if !self.has_ended {
            self.printer.queue().is_led = false;
        }
    }
}

impl Ended {
    fn database(&self) -> &str {
        self.command.get_str("$db").unwrap_or_default()
    }

    /// Returns the command that explains a read.
    fn explain(&self) -> Option<Document> {
        if self.error.is_some() { None } else { explain_of(&self.command) }
    }

    /// Prints the command; `examined` are the examined keys and documents. The fields of the event follow the line as a
    /// comment.
    fn print(&self, examined: Option<(u64, u64)>) {
        let (line, counts) = (mongosh::line(&self.command), &self.counts);
        tracing::debug!(
            target: TARGET,
            {
                database = self.database(),
                ms = self.time.as_micros() as f64 / 1_000.0,
                keys_examined = examined.map(|(keys, _)| keys),
                docs_examined = examined.map(|(_, documents)| documents),
                returned = counts.returned,
                matched = counts.matched,
                modified = counts.modified,
                upserted = counts.upserted,
                refused = counts.refused,
                in_transaction = self.command.get_bool("autocommit").is_ok().then_some(true),
                error = self.error.as_deref(),
            },
            "{line} //"
        );
    }
}

//! How fast copies are written, and who is told.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use mongodb::bson::Document;

use crate::{error::Result, executor::Context};

/// How many documents one command writes where nobody says.
pub(crate) const CHUNK: u32 = 5_000;

/// How fast copies are written, and who is told.
///
/// ```
/// # use std::time::Duration;
/// # use schema_runtime::Pace;
/// let gently = Pace::new().chunk(1_000).pause(Duration::from_millis(50)).progress(|progress| {
///     println!("{} of {:?}, {:.0} a second", progress.done, progress.total, progress.rate());
/// });
/// ```
#[derive(Clone)]
pub struct Pace {
    pub(super) chunk: u32,
    pub(super) pause: Duration,
    pub(super) told: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
}

/// How far a long piece of work is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How many documents were done.
    pub done: u64,
    /// How many there were at the start; `None` where nobody counted.
    pub total: Option<u64>,
    /// How long it has taken so far.
    pub elapsed: Duration,
}

impl Pace {
    /// 5,000 documents a command, without a pause.
    pub fn new() -> Self {
        Pace { chunk: CHUNK, pause: Duration::ZERO, told: None }
    }

    /// At most so many documents a command; 0 counts as 1. A fan-out that a transaction carries is one command.
    pub fn chunk(self, documents: u32) -> Self {
        Pace { chunk: documents.max(1), ..self }
    }

    /// Waits so long after each command.
    pub fn pause(self, pause: Duration) -> Self {
        Pace { pause, ..self }
    }

    /// Tells how far it is, after each command. The documents are counted first.
    pub fn progress(self, told: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Pace { told: Some(Arc::new(told)), ..self }
    }
}

impl Pace {
    /// The same, where somebody else tells.
    pub(super) fn quiet(self) -> Self {
        Pace { told: None, ..self }
    }
}

impl Default for Pace {
    fn default() -> Self {
        Pace::new()
    }
}

impl fmt::Debug for Pace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pace").field("chunk", &self.chunk).field("pause", &self.pause).finish_non_exhaustive()
    }
}

/// One piece of work at a pace.
pub(super) struct Pacer<'p> {
    pub(super) pace: &'p Pace,
    begun: Instant,
    progress: u64,
    total: Option<u64>,
}

impl<'p> Pacer<'p> {
    /// Work on the documents that match in these collections, which are counted if anybody wants to know.
    pub(super) async fn new(context: &Context, work: Vec<(&'static str, Document)>, pace: &'p Pace) -> Result<Self> {
        let mut total = None;
        if pace.told.is_some() {
            let mut sum = 0;
            for (collection, filter) in work {
                sum += context.count(collection, filter, 0, 0).await?;
            }
            total = Some(sum);
        }
        Ok(Pacer { pace, begun: Instant::now(), progress: 0, total })
    }

    /// So many more documents are done.
    pub(super) fn done(&mut self, documents: u64) {
        self.progress += documents;
        if let Some(told) = self.pace.told.as_ref().filter(|_| documents > 0) {
            told(Progress { done: self.progress, total: self.total, elapsed: self.begun.elapsed() });
        }
    }

    /// The wait after a command.
    pub(super) async fn pause(&self) {
        if !self.pace.pause.is_zero() {
            tokio::time::sleep(self.pace.pause).await;
        }
    }
}

impl Progress {
    /// Documents a second.
    pub fn rate(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.done as f64 / seconds } else { 0.0 }
    }
}

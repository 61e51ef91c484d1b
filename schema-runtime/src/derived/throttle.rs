//! How fast copies are written, and who hears of the progress.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use mongodb::bson::Document;

use crate::{error::Result, executor::Context, limits::SWEEP_HOLDERS};

/// How fast copies are written, and who hears of the progress.
///
/// ```
/// # use std::time::Duration;
/// # use schema_runtime::Throttle;
/// let gently = Throttle::new().chunk(1_000).pause(Duration::from_millis(50)).progress(|progress| {
///     println!("{} of {:?}, {:.0} a second", progress.done, progress.total, progress.rate());
/// });
/// ```
#[derive(Clone)]
pub struct Throttle {
    pub(super) chunk: u32,
    pub(super) pause: Duration,
    pub(super) on_progress: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
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

impl Throttle {
    /// 5,000 documents a command, without a pause.
    pub fn new() -> Self {
        Throttle { chunk: SWEEP_HOLDERS, pause: Duration::ZERO, on_progress: None }
    }

    /// At most so many documents a command; 0 counts as 1. A fan-out that a transaction propagates is one command.
    pub fn chunk(self, documents: u32) -> Self {
        Throttle { chunk: documents.max(1), ..self }
    }

    /// Waits so long after each command.
    pub fn pause(self, pause: Duration) -> Self {
        Throttle { pause, ..self }
    }

    /// Tells how far it is, after each command. The documents are counted first.
    pub fn progress(self, on_progress: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Throttle { on_progress: Some(Arc::new(on_progress)), ..self }
    }
}

impl Throttle {
    /// The most documents of one command.
    pub(crate) fn most(&self) -> usize {
        self.chunk as usize
    }

    /// Whether anybody hears of the progress.
    pub(crate) fn is_watched(&self) -> bool {
        self.on_progress.is_some()
    }

    /// The same, where somebody else tells.
    pub(crate) fn quiet(self) -> Self {
        Throttle { on_progress: None, ..self }
    }
}

impl Default for Throttle {
    fn default() -> Self {
        Throttle::new()
    }
}

impl fmt::Debug for Throttle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Throttle")
            .field("chunk", &self.chunk)
            .field("pause", &self.pause)
            .finish_non_exhaustive()
    }
}

/// One piece of work at a throttle.
pub(crate) struct Throttler<'p> {
    pub(super) throttle: &'p Throttle,
    begun: Instant,
    progress: u64,
    total: Option<u64>,
}

impl<'p> Throttler<'p> {
    /// Work on the documents that match in these collections, which are counted if anybody wants to know.
    pub(crate) async fn new(
        context: &Context,
        work: Vec<(&'static str, Document)>,
        throttle: &'p Throttle,
    ) -> Result<Self> {
        let mut total = None;
        if throttle.on_progress.is_some() {
            let mut sum = 0;
            for (collection, filter) in work {
                sum += context.count(collection, filter, 0, 0).await?;
            }
            total = Some(sum);
        }
        Ok(Throttler { throttle, begun: Instant::now(), progress: 0, total })
    }

    /// Work on so many documents.
    pub(crate) fn of(total: u64, throttle: &'p Throttle) -> Self {
        Throttler { throttle, begun: Instant::now(), progress: 0, total: Some(total) }
    }

    /// So many more documents are done.
    pub(crate) fn done(&mut self, documents: u64) {
        self.progress += documents;
        if let Some(on_progress) = self.throttle.on_progress.as_ref().filter(|_| documents > 0) {
            on_progress(Progress { done: self.progress, total: self.total, elapsed: self.begun.elapsed() });
        }
    }

    /// The wait after a command.
    pub(crate) async fn pause(&self) {
        if !self.throttle.pause.is_zero() {
            tokio::time::sleep(self.throttle.pause).await;
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

/// When the copies of a write follow, and how fast.
#[derive(Clone, Debug, Default)]
pub(crate) struct Propagation {
    pub(crate) throttle: Option<Throttle>,
    /// The marks are left to a worker.
    pub(crate) later: bool,
}

impl Propagation {
    /// Whether the caller has said anything of it.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.later || self.throttle.is_some()
    }

    pub(crate) fn throttle(&self) -> Throttle {
        self.throttle.clone().unwrap_or_default()
    }
}

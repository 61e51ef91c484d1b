//! The speed of propagation, and the progress callback.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use mongodb::bson::Document;

use crate::{error::Result, executor::Context, limits::SWEEP_HOLDERS};

/// The speed at which derived data are written, and the progress callback.
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

/// The progress of a long piece of work.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of finished documents.
    pub done: u64,
    /// The number of documents at the start; `None` when nobody counted.
    pub total: Option<u64>,
    /// The elapsed time.
    pub elapsed: Duration,
}

impl Throttle {
    /// Creates a throttle of 5,000 documents per command without a pause.
    pub fn new() -> Self {
        Throttle { chunk: SWEEP_HOLDERS, pause: Duration::ZERO, on_progress: None }
    }

    /// Sets the largest number of documents per command; 0 counts as 1. A fan-out that a transaction propagates is one
    /// command.
    pub fn chunk(self, documents: u32) -> Self {
        Throttle { chunk: documents.max(1), ..self }
    }

    /// Sets the pause after each command.
    pub fn pause(self, pause: Duration) -> Self {
        Throttle { pause, ..self }
    }

    /// Sets the pause so that the work writes at most this many documents in a second; 0 counts as 1. The pause depends
    /// on the size of a chunk: call [`chunk`](Throttle::chunk) first.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use schema_runtime::Throttle;
    /// let slow = Throttle::new().chunk(100).at_most(2_000);
    /// assert_eq!(format!("{slow:?}"), format!("{:?}", Throttle::new().chunk(100).pause(Duration::from_millis(50))));
    /// ```
    pub fn at_most(self, documents_per_second: u32) -> Self {
        let pause = Duration::from_secs(self.chunk.into()) / documents_per_second.max(1);
        self.pause(pause)
    }

    /// Calls the function with the progress after each command. The documents are counted first.
    pub fn progress(self, on_progress: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Throttle { on_progress: Some(Arc::new(on_progress)), ..self }
    }
}

impl Throttle {
    /// Returns the largest number of documents of one command.
    pub(crate) fn most(&self) -> usize {
        self.chunk as usize
    }

    /// Returns whether the throttle has a progress callback.
    pub(crate) fn is_watched(&self) -> bool {
        self.on_progress.is_some()
    }

    /// Returns the throttle without the progress callback, for work whose caller reports the progress.
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

/// One piece of work at the speed of a throttle.
pub(crate) struct Throttler<'p> {
    pub(super) throttle: &'p Throttle,
    begun: Instant,
    progress: u64,
    total: Option<u64>,
}

impl<'p> Throttler<'p> {
    /// Starts work on the documents that match the filters in the given collections. Counts the documents when the
    /// throttle has a progress callback.
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

    /// Starts work on a known number of documents.
    pub(crate) fn of(total: u64, throttle: &'p Throttle) -> Self {
        Throttler { throttle, begun: Instant::now(), progress: 0, total: Some(total) }
    }

    /// Adds finished documents to the progress and calls the progress callback.
    pub(crate) fn done(&mut self, documents: u64) {
        self.progress += documents;
        if let Some(on_progress) = self.throttle.on_progress.as_ref().filter(|_| documents > 0) {
            on_progress(Progress { done: self.progress, total: self.total, elapsed: self.begun.elapsed() });
        }
    }

    /// Waits for the pause of the throttle after a command.
    pub(crate) async fn pause(&self) {
        if !self.throttle.pause.is_zero() {
            tokio::time::sleep(self.throttle.pause).await;
        }
    }
}

impl Progress {
    /// Returns the number of documents per second.
    pub fn rate(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.done as f64 / seconds } else { 0.0 }
    }
}

/// The time and the speed at which the copies of a write are propagated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Propagation {
    pub(crate) throttle: Option<Throttle>,
    /// True when a worker handles the marks later.
    pub(crate) later: bool,
}

impl Propagation {
    /// Returns whether the caller has set the time or the speed.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.later || self.throttle.is_some()
    }

    pub(crate) fn throttle(&self) -> Throttle {
        self.throttle.clone().unwrap_or_default()
    }
}

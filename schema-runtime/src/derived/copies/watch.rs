//! A worker that propagates the copies of writes by different programs. A change stream over the sources reports the work, and old marks
//! are propagated after a grace period. Repeated work is harmless, so any number of processes may watch at once.

mod changes;
mod event;
mod token;
mod work;

use std::{
    fmt,
    future::poll_fn,
    pin::pin,
    sync::Arc,
    task::Poll,
    time::{Duration, Instant, SystemTime},
};

use mongodb::bson::Timestamp;
use tokio::sync::watch;

use self::{
    changes::{Changes, Since, is_lost},
    event::Event,
    token::Token,
    work::Work,
};
use crate::{
    definition::ModelDefinition,
    derived::{copies::stored::paths::of_schema, throttle::Throttle},
    error::{Error, Result, code},
    executor::Context,
};

/// The options of a watcher, and the handle that stops the watcher.
///
/// ```
/// # use schema_runtime::{Schema, copies::Watcher, prelude::*};
/// async fn work(schema: Schema, db: Database) -> schema_runtime::Result<()> {
///     let watcher = Watcher::new().lag(|lag| println!("{:?} behind", lag.behind));
///     let worker = {
///         let watcher = watcher.clone();
///         tokio::spawn(async move { schema.watch(&db, &watcher).await })
///     };
///     // ..
///     watcher.stop();
///     println!("{}", worker.await.expect("it does not panic")?);
///     Ok(())
/// }
/// ```
#[derive(Clone)]
pub struct Watcher {
    throttle: Throttle,
    grace: Duration,
    on_lag: Option<Arc<dyn Fn(Lag) + Send + Sync>>,
    stopped: Arc<watch::Sender<bool>>,
}

/// The delay of a watcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lag {
    /// The time between the last handled event and now, in whole seconds by the clocks of the server and of this process. Zero when no
    /// event is left to handle.
    pub behind: Duration,
    /// The number of events handled so far.
    pub events: u64,
}

/// The work of a watcher until the stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Watched {
    /// The number of handled events of the change stream.
    pub events: u64,
    /// The number of changed sources that were propagated.
    pub sources: u64,
    /// The number of holders of `external` copies that were re-checked.
    pub holders: u64,
    /// The number of sources and holders with a mark that were propagated.
    pub marks: u64,
    /// The number of sources and holders that the server refused to write, as by a validator. A refused document stays unchanged.
    pub refused: u64,
    /// The number of full repairs: at the first start, and when the change stream could not continue.
    pub resyncs: u64,
}

impl fmt::Display for Watched {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Watched { events, sources, holders, marks, refused, resyncs } = self;
        write!(
            formatter,
            "events: {events}, sources propagated: {sources}, holders re-checked: {holders}, markers: {marks}, refused: {refused}, resyncs: {resyncs}"
        )
    }
}

impl Watcher {
    /// Creates a watcher with the default throttle and a minute of grace.
    pub fn new() -> Self {
        let (stopped, _) = watch::channel(false);
        Watcher { throttle: Throttle::new(), grace: Duration::from_secs(60), on_lag: None, stopped: Arc::new(stopped) }
    }

    /// Sets the speed at which copies are written. The `progress` of the throttle reports resyncs.
    pub fn throttle(self, throttle: Throttle) -> Self {
        Watcher { throttle, ..self }
    }

    /// Sets the age of a mark, by the clock of the client that set the mark, from which the writer counts as dead. A slow writer loses
    /// nothing. Marks of [`defer_copies`](crate::operation::Update::defer_copies) are propagated at once.
    pub fn grace(self, grace: Duration) -> Self {
        Watcher { grace, ..self }
    }

    /// Calls the function with the lag after each batch of events, and about each second without events.
    pub fn lag(self, on_lag: impl Fn(Lag) + Send + Sync + 'static) -> Self {
        Watcher { on_lag: Some(Arc::new(on_lag)), ..self }
    }

    /// Stops the watcher after the current work. Every clone of the watcher stops.
    pub fn stop(&self) {
        self.stopped.send_replace(true);
    }

    fn tell(&self, time: Option<Timestamp>, events: u64) {
        let Some(on_lag) = &self.on_lag else { return };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let behind = time.map_or(0, |time| now.as_secs().saturating_sub(time.time.into()));
        on_lag(Lag { behind: Duration::from_secs(behind), events });
    }

    /// Returns the output of the future; `None` once the watcher was stopped.
    async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut stopped = self.stopped.subscribe();
        let mut stop = pin!(stopped.wait_for(|stopped| *stopped));
        let mut work = pin!(work);
        poll_fn(|context| match stop.as_mut().poll(context) {
            Poll::Ready(_) => Poll::Ready(None),
            Poll::Pending => work.as_mut().poll(context).map(Some),
        })
        .await
    }
}

impl Default for Watcher {
    fn default() -> Self {
        Watcher::new()
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = &mut formatter.debug_struct("Watcher");
        fields.field("pace", &self.throttle).field("grace", &self.grace).finish_non_exhaustive()
    }
}

/// The shortest and the longest wait after a transient error.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

/// The interval at which the token is stored without events, so that the token does not fall off the oplog.
const IDLE: Duration = Duration::from_secs(10);

pub(crate) async fn watch(
    models: &'static [&'static ModelDefinition],
    context: &Context,
    watcher: &Watcher,
) -> Result<Watched> {
    let context = context.majority();
    let paths = of_schema(models);
    let token = Token::of(&paths);
    let work = Work { context: &context, models, paths: &paths, watcher };
    let mut run = Run { token, work, watched: Watched::default(), lost: 0, since: None };
    let mut wait = BACKOFF.0;
    loop {
        let before = run.watched;
        match run.until_stopped().await {
            Ok(()) => return Ok(run.watched),
            Err(error) if is_transient(&error) => {
                tracing::warn!(%error, "the watcher retries after a while");
                wait = if run.watched == before { (wait * 2).min(BACKOFF.1) } else { BACKOFF.0 };
                if watcher.unless_stopped(tokio::time::sleep(wait)).await.is_none() {
                    return Ok(run.watched);
                }
            }
            Err(error) => return Err(error),
        }
    }
}

/// Returns whether a retry may succeed a little later.
fn is_transient(error: &Error) -> bool {
    match error {
        Error::Connection { .. } | Error::TimedOut { .. } | Error::WriteConflict => true,
        Error::CopiesPending { source, .. } => is_transient(source),
        Error::Driver(error) => {
            let labels = ["RetryableWriteError", "ResumableChangeStreamError", "TransientTransactionError"];
            code::server_code(error).is_some_and(|number| code::ENDED_BY_OTHERS.contains(&number))
                || labels.iter().any(|label| error.contains_label(label))
        }
        _ => false,
    }
}

/// A watcher under way.
struct Run<'a> {
    token: Token,
    work: Work<'a>,
    watched: Watched,
    /// The number of times in a row that the stream could not begin.
    lost: u32,
    /// The position at which the stream resumes.
    since: Option<Since>,
}

/// The number of times that a resync may take so long that the oplog no longer has the beginning of the resync.
const MOST_LOST: u32 = 3;

impl Run<'_> {
    async fn until_stopped(&mut self) -> Result<()> {
        let context = self.work.context;
        if self.since.is_none() {
            self.since = self.token.load(context).await?;
        }
        loop {
            let since = match self.since.clone() {
                Some(since) => since,
                None => self.resync().await?,
            };
            let ended = match Changes::since(context, self.work.paths, &since).await {
                Ok(mut changes) => self.handle(&mut changes).await,
                Err(error) => Err(error),
            };
            match ended {
                Ok(Ended::Stopped) => return Ok(()),
                // The database was dropped: no earlier change counts.
                Ok(Ended::Invalid) => {
                    self.since = None;
                    if self.work.watcher.unless_stopped(tokio::time::sleep(BACKOFF.0)).await.is_none() {
                        return Ok(());
                    }
                }
                Err(error) if is_lost(&error) && self.lost < MOST_LOST => {
                    self.lost += 1;
                    tracing::warn!(%error, "changes were lost: everything is repaired");
                    self.since = None;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Repairs everything. The stream resumes from a time before the repair.
    async fn resync(&mut self) -> Result<Since> {
        let time = self.token.now(self.work.context).await?;
        self.watched.refused += self.work.repair_all().await?;
        self.watched.resyncs += 1;
        let since = Since::Time(time);
        self.token.save(self.work.context, &since).await?;
        self.since = Some(since.clone());
        Ok(since)
    }

    async fn handle(&mut self, changes: &mut Changes) -> Result<Ended> {
        let watcher = self.work.watcher;
        let (mut saved, mut looked) = (Instant::now(), None::<Instant>);
        loop {
            let Some(batch) = watcher.unless_stopped(changes.next()).await else { return Ok(Ended::Stopped) };
            let Some(batch) = batch? else { return Ok(Ended::Invalid) };
            self.lost = 0;
            let events = batch.events.len() as u64;
            let is_due = looked.is_none_or(|looked| looked.elapsed() >= watcher.grace / 2);
            self.work.handle(&batch.events, is_due, &mut self.watched).await?;
            if is_due {
                looked = Some(Instant::now());
            }
            self.watched.events += events;
            if let Some(token) = batch.token {
                let since = Since::Token(token);
                if events > 0 || saved.elapsed() >= IDLE {
                    self.token.save(self.work.context, &since).await?;
                    saved = Instant::now();
                }
                self.since = Some(since);
            }
            watcher.tell(batch.events.last().and_then(Event::time), self.watched.events);
        }
    }
}

enum Ended {
    Stopped,
    Invalid,
}

//! A change stream over sources and holders: the copies follow the writes of other programs. Repeated work is harmless,
//! so any number of processes may watch at once.

mod changes;
mod event;
mod token;
mod work;

use std::time::{Duration, Instant};

use mongodb::bson::{Timestamp, oid::ObjectId};
use tracing::Instrument;

use self::{
    changes::{Batch, Changes, is_lost},
    event::Event,
    token::{Since, Token},
    work::Work,
};
use crate::{
    definition::ModelDefinition,
    derived::{
        copies::stored::{model_paths::of_schema, path::CopyPath},
        throttle::Throttle,
    },
    error::Result,
    executor::Context,
};

/// The copies that a change stream maintains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WatchedCopies {
    /// The copies that no write of this crate propagates.
    External,
    /// The copies of other programs' writes too.
    All,
}

impl WatchedCopies {
    fn paths(self, models: &[&'static ModelDefinition]) -> Vec<CopyPath> {
        let all = of_schema(models).into_iter();
        all.filter(|path| self == WatchedCopies::All || !path.synced).collect()
    }
}

/// The options of a watch.
#[derive(Clone, Debug)]
pub(crate) struct WatchOptions {
    pub(crate) copies: WatchedCopies,
    pub(crate) throttle: Throttle,
    /// The age from which a mark counts as left behind.
    pub(crate) grace: Duration,
}

/// The work of a watch up to now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Watched {
    /// The number of handled events of the change stream.
    pub(crate) events: u64,
    /// The number of changed sources that were propagated.
    pub(crate) sources: u64,
    /// The number of holders that were compared with the sources.
    pub(crate) holders: u64,
    /// The number of sources and holders with a deferred mark that were propagated.
    pub(crate) marks: u64,
    /// The number of sources and holders that the server refused to write. A refused document stays unchanged.
    pub(crate) refused: u64,
    /// The number of full repairs.
    pub(crate) resyncs: u64,
}

/// A step of a watch.
pub(crate) enum WatchStep {
    /// Events are handled; `time` is the time of the last event, and `None` when no event is left.
    Handled { time: Option<Timestamp>, events: u64 },
    /// Everything is repaired, but for the holders that the server refused to write.
    Resynced { refused: u64, elapsed: Duration },
}

/// The function that gets each step.
pub(crate) type Tell<'a> = &'a (dyn Fn(WatchStep) + Send + Sync);

/// A watch with its position. The position is stored after the work that the position covers.
pub(crate) struct Watch {
    token: Token,
    work: Work,
    watched: Watched,
    /// The number of times in a row that the stream could not begin.
    lost: u32,
    position: Position,
    /// The number of handled batches, with and without events.
    batches: u64,
}

/// The position at which the stream resumes.
enum Position {
    /// A position is perhaps stored.
    Unknown,
    /// No stored position is of use: everything is repaired.
    Lost,
    Known {
        since: Since,
        is_stored: bool,
    },
}

/// The wait before a stream begins again after the drop of the database.
const AFTER_DROP: Duration = Duration::from_millis(100);

/// The interval at which the token is stored without events, so that the token does not fall off the oplog.
const IDLE: Duration = Duration::from_secs(10);

/// The number of times in a row that a resync may take so long that the oplog no longer has the beginning of the
/// resync.
const MOST_LOST: u32 = 3;

impl Watch {
    /// Prepares the watch of a schema; `None` when the schema has no copies for a watch.
    pub(crate) fn new(
        models: &'static [&'static ModelDefinition],
        context: &Context,
        options: WatchOptions,
    ) -> Option<Self> {
        let paths = options.copies.paths(models);
        if paths.is_empty() {
            return None;
        }
        let token = Token::of(&paths);
        let work = Work { context: context.majority(), models, paths, options };
        Some(Watch { token, work, watched: Watched::default(), lost: 0, position: Position::Unknown, batches: 0 })
    }

    /// Returns whether a schema has copies for a watch.
    pub(crate) fn is_needed(models: &[&'static ModelDefinition], copies: WatchedCopies) -> bool {
        !copies.paths(models).is_empty()
    }

    pub(crate) fn watched(&self) -> Watched {
        self.watched
    }

    /// Returns the number of handled batches: the number rises at least each second while the server answers.
    pub(crate) fn batches(&self) -> u64 {
        self.batches
    }

    /// Handles changes until an error. After the error the watch may go on: a repeated call begins at the last
    /// position.
    pub(crate) async fn run(&mut self, tell: Tell<'_>) -> Result<()> {
        self.follow(Until::Failure, tell).await
    }

    /// Handles all changes before the call.
    pub(crate) async fn catch_up(&mut self, tell: Tell<'_>) -> Result<()> {
        self.follow(Until::Now, tell).await
    }

    /// Stores the position, unless the position is stored already.
    pub(crate) async fn store_position(&mut self) -> Result<()> {
        if let Position::Known { since, is_stored: is_stored @ false } = &mut self.position {
            self.token.save(&self.work.context, since).await?;
            *is_stored = true;
        }
        Ok(())
    }

    /// Handles changes.
    async fn follow(&mut self, until: Until, tell: Tell<'_>) -> Result<()> {
        loop {
            let since = match &self.position {
                Position::Known { since, .. } => since.clone(),
                Position::Unknown => match self.token.load(&self.work.context).await? {
                    Some(since) => since,
                    None => self.resync(tell).await?,
                },
                Position::Lost => self.resync(tell).await?,
            };
            match self.handle_since(&since, until, tell).await {
                Ok(Ended::Reached) => return Ok(()),
                // The database was dropped: no earlier change counts.
                Ok(Ended::Invalid) => {
                    self.position = Position::Lost;
                    tokio::time::sleep(AFTER_DROP).await;
                }
                Err(error) if is_lost(&error) => {
                    self.position = Position::Lost;
                    self.lost += 1;
                    if self.lost > MOST_LOST {
                        return Err(error);
                    }
                    tracing::warn!(%error, "changes were lost: everything is repaired");
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Repairs everything. The stream resumes from a time before the repair.
    async fn resync(&mut self, tell: Tell<'_>) -> Result<Since> {
        let begun = Instant::now();
        let since = Since::Time(self.token.now(&self.work.context).await?);
        let refused = self.work.repair_all().await?;
        self.watched.refused += refused;
        self.watched.resyncs += 1;
        self.token.save(&self.work.context, &since).await?;
        self.position = Position::Known { since: since.clone(), is_stored: true };
        tell(WatchStep::Resynced { refused, elapsed: begun.elapsed() });
        Ok(since)
    }

    async fn handle_since(&mut self, since: &Since, until: Until, tell: Tell<'_>) -> Result<Ended> {
        let mut changes = Changes::since(&self.work.context, &self.work.paths, since).await?;
        // A new value each time: a write of the same value is no event.
        let end = (until == Until::Now).then(ObjectId::new);
        if let Some(end) = end {
            self.token.write_end(&self.work.context, end).await?;
        }
        let mut saved = Instant::now();
        loop {
            let Some(batch) = changes.next().await? else { return Ok(Ended::Invalid) };
            self.handle(&batch, &mut saved).await?;
            let time = batch.events.last().and_then(Event::time);
            tell(WatchStep::Handled { time, events: self.watched.events });
            if end.is_some_and(|end| batch.events.iter().any(|event| event.writes_end(end))) {
                self.store_position().await?;
                return Ok(Ended::Reached);
            }
        }
    }

    async fn handle(&mut self, batch: &Batch, saved: &mut Instant) -> Result<()> {
        let events = batch.events.iter().filter(|event| event.is_change()).count() as u64;
        if events > 0 {
            let span = tracing::debug_span!(target: "schema_runtime", "changes", worker.events = events);
            self.work.handle(&batch.events, &mut self.watched).instrument(span).await?;
        }
        self.lost = 0;
        self.batches += 1;
        self.watched.events += events;
        if let Some(token) = &batch.token {
            self.position = Position::Known { since: Since::Token(token.clone()), is_stored: false };
            if events > 0 || saved.elapsed() >= IDLE {
                self.store_position().await?;
                *saved = Instant::now();
            }
        }
        Ok(())
    }
}

/// The end of the changes that are handled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// An error ends the handling.
    Failure,
    /// All changes before the call are handled.
    Now,
}

enum Ended {
    /// The end of a catch-up is reached.
    Reached,
    Invalid,
}

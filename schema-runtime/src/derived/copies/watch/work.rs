//! The work of a watch for a batch of events. Reaches the server.

use std::collections::HashMap;

use mongodb::bson::{Bson, doc};

use super::{
    WatchOptions, Watched,
    event::{Event, Task},
};
use crate::{
    definition::ModelDefinition,
    derived::{
        copies::{
            maintenance::correct::{Correction, correct},
            maintenance::held::{Held, held_by_ids},
            maintenance::recover::recover_marks,
            maintenance::rewrite::{clear_marks, rewrite, sweep_touched},
            maintenance::stale_copy::{is_stale, repair_path},
            stored::path::{CopyPath, Swept},
            stored::source,
            write::sweep::sweep,
            write::writing::referred_to,
        },
        marks::{Marks, PendingMarker},
        refused::Refused,
        throttle::{Throttle, Throttler},
    },
    error::Result,
    executor::Context,
    key::Key,
};

pub(super) struct Work {
    pub(super) context: Context,
    pub(super) models: &'static [&'static ModelDefinition],
    pub(super) paths: Vec<CopyPath>,
    pub(super) options: WatchOptions,
}

/// The work of a batch for one path, each document once.
#[derive(Default)]
struct Tasks {
    inserted: HashMap<Key, Bson>,
    changed: HashMap<Key, Bson>,
    replaced: HashMap<Key, Bson>,
    held: HashMap<Key, Bson>,
    left: bool,
    all: bool,
}

impl Tasks {
    fn of(events: &[Event], path: &CopyPath) -> Self {
        let mut tasks = Tasks::default();
        for task in events.iter().flat_map(|event| event.tasks(path)).flatten() {
            match task {
                Task::Inserted(id) => drop(tasks.inserted.insert(Key::of(&id), id)),
                Task::Changed(id) => drop(tasks.changed.insert(Key::of(&id), id)),
                Task::Replaced(id) => drop(tasks.replaced.insert(Key::of(&id), id)),
                Task::Held(id) => drop(tasks.held.insert(Key::of(&id), id)),
                Task::Left => tasks.left = true,
                Task::All => tasks.all = true,
            }
        }
        tasks
    }
}

impl Work {
    /// Repairs every path, and returns the number of refused holders.
    pub(super) async fn repair_all(&self) -> Result<u64> {
        let work = self.paths.iter().map(|path| (path.holder.collection, doc! {}));
        let mut throttler = Throttler::new(&self.context, work.collect(), &self.options.throttle).await?;
        let mut refused = 0;
        for path in &self.paths {
            refused += repair_path(&self.context, path, &mut throttler).await?;
        }
        Ok(refused)
    }

    /// Does the work of the events. A deferred mark also leads to the marks that are older than the grace.
    pub(super) async fn handle(&self, events: &[Event], watched: &mut Watched) -> Result<()> {
        let mut is_left = false;
        for path in &self.paths {
            let tasks = Tasks::of(events, path);
            is_left |= tasks.left;
            if tasks.all {
                let throttle = self.throttle();
                let mut throttler = Throttler::new(&self.context, Vec::new(), &throttle).await?;
                watched.refused += repair_path(&self.context, path, &mut throttler).await?;
                continue;
            }
            let mut changed = self.referred_to(path, tasks.inserted).await?;
            changed.extend(tasks.changed);
            changed.extend(self.differing(path, tasks.replaced, &mut watched.refused).await?);
            watched.sources += changed.len() as u64;
            watched.holders += tasks.held.len() as u64;
            watched.refused += match path.synced {
                true => self.propagate(path, changed).await? + self.rewrite_stale(path, tasks.held).await?,
                false => self.propagate_external(path, changed).await? + self.look(path, tasks.held).await?,
            };
        }
        if is_left {
            let marks = Marks::left_for(self.options.grace);
            let recovered = recover_marks(self.models, &self.context, &self.throttle(), marks).await?;
            watched.marks += recovered.iter().map(|entry| entry.found).sum::<u64>();
            watched.refused += recovered.iter().map(|path| path.refused).sum::<u64>();
        }
        Ok(())
    }

    fn throttle(&self) -> Throttle {
        self.options.throttle.clone().quiet()
    }

    /// Returns the new sources that already have holders. The inserter of a later holder re-checks the holder.
    async fn referred_to(&self, path: &CopyPath, mut ids: HashMap<Key, Bson>) -> Result<HashMap<Key, Bson>> {
        if ids.is_empty() {
            return Ok(ids);
        }
        let all: Vec<Bson> = ids.values().cloned().collect();
        let held = referred_to(&self.context, path, &all).await?;
        ids.retain(|key, _| held.contains(key));
        Ok(ids)
    }

    /// Returns the replaced sources that differ from some holder. Each source gets a new version first: a client that
    /// read the source before and inserts a holder afterwards sees the new version. A marked source is propagated by
    /// the client that set the mark.
    async fn differing(
        &self,
        path: &CopyPath,
        ids: HashMap<Key, Bson>,
        refused: &mut u64,
    ) -> Result<HashMap<Key, Bson>> {
        let mark = PendingMarker::new();
        let mut differing = HashMap::new();
        for (key, id) in ids {
            let touched = match source::touch_unmarked(&self.context, path, &id, mark).await {
                Err(error) if error.is_refusal() => {
                    *refused += 1;
                    None
                }
                touched => touched?,
            };
            let Some(document) = touched else { continue };
            let filter = path.differing(&id, &document);
            if self.context.count(path.holder.collection, filter, 0, 1).await? > 0 {
                differing.insert(key, id);
            } else {
                clear_marks(&self.context, path, [&id], mark).await?;
            }
        }
        Ok(differing)
    }

    /// Gives sources of different programs a new version, and propagates the sources to all holders. A marked source
    /// has a writer that may still be at work: the source gets the mark of this watch and a sweep of this watch.
    async fn propagate(&self, path: &CopyPath, ids: HashMap<Key, Bson>) -> Result<u64> {
        let (mark, mut all) = (PendingMarker::new(), 0);
        for id in ids.into_values() {
            let touched = match source::touch(&self.context, &[path], &id, mark).await {
                Err(error) if error.is_refusal() => {
                    tracing::warn!(%error, "a source cannot get a version, and the copies stay unchanged");
                    all += 1;
                    continue;
                }
                touched => touched?,
            };
            let Some(document) = touched else { continue };
            all += count(path, sweep_touched(&self.context, path, &document, mark, &self.throttle()).await?);
        }
        Ok(all)
    }

    /// Reads sources without versions, and propagates the sources with the time of the read.
    async fn propagate_external(&self, path: &CopyPath, ids: HashMap<Key, Bson>) -> Result<u64> {
        let mut all = 0;
        for (document, version) in source::at_one_time(&self.context, path, ids.into_values().collect()).await?.values()
        {
            let Some(id) = document.get("_id") else { continue };
            let source = Swept { id, version: *version, document };
            all += count(path, sweep(&self.context, path, source, &self.throttle()).await?);
        }
        Ok(all)
    }

    /// Re-checks holders that got a reference: the source may have moved since the read for the holder.
    async fn look(&self, path: &CopyPath, ids: HashMap<Key, Bson>) -> Result<u64> {
        let (ids, mut all): (Vec<Bson>, _) = (ids.into_values().collect(), 0);
        for ids in ids.chunks(1_000) {
            let held = held_by_ids(&self.context, path, ids).await?;
            let sources: HashMap<Key, Bson> = held.iter().map(|held| (held.key.clone(), held.source.clone())).collect();
            let sources = source::at_one_time(&self.context, path, sources.into_values().collect()).await?;
            let mut corrections: HashMap<Key, Correction> = HashMap::new();
            for held in held {
                let Some((document, version)) = sources.get(&held.key) else { continue };
                if held.version.is_some() && !is_stale(path, &held, document) {
                    continue;
                }
                let new = || Correction {
                    source: held.source.clone(),
                    version: *version,
                    document: document.clone(),
                    holders: Vec::new(),
                };
                corrections.entry(held.key.clone()).or_insert_with(new).holders.push(held.holder);
            }
            let corrections: Vec<Correction> = corrections.into_values().collect();
            all += count(path, correct(&self.context, path, &corrections).await?);
        }
        Ok(all)
    }

    /// Rewrites holders whose copies a different version of the application, or a different program, may have written.
    async fn rewrite_stale(&self, path: &CopyPath, ids: HashMap<Key, Bson>) -> Result<u64> {
        let (ids, mut all): (Vec<Bson>, _) = (ids.into_values().collect(), 0);
        for ids in ids.chunks(1_000) {
            let held = held_by_ids(&self.context, path, ids).await?;
            let sources: HashMap<Key, Bson> = held.iter().map(|held| (held.key.clone(), held.source.clone())).collect();
            let sources = source::as_they_are(&self.context, path, sources.into_values().collect()).await?;
            // A holder with right values stays unchanged, so that a watch of the different version finds no work.
            let is_stale = |held: &Held| {
                let source = sources.get(&held.key);
                source.map_or(held.is_of_nothing() && held.has_values(), |source| is_stale(path, held, source))
            };
            let stale = held.into_iter().filter(is_stale).collect();
            let refused = rewrite(&self.context, path, stale, &self.throttle()).await?.refused.documents;
            all += refused;
            if refused > 0 {
                let collection = path.holder.collection;
                tracing::warn!(refused, collection, "updates of holders were refused, and the copies stay unchanged");
            }
        }
        Ok(all)
    }
}

/// Returns the number of refused holders, and logs a warning.
fn count(path: &CopyPath, refused: Refused) -> u64 {
    let (documents, collection) = (refused.documents, path.holder.collection);
    if let Err(error) = refused.none() {
        tracing::warn!(documents, collection, %error, "updates of holders were refused, and the copies stay unchanged");
    }
    documents
}

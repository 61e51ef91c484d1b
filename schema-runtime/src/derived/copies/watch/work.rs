//! What a watcher does for a batch of events. Reaches the server.

use std::collections::HashMap;

use mongodb::bson::{Bson, doc};

use super::{
    Watched, Watcher,
    event::{Event, Task},
};
use crate::{
    definition::ModelDefinition,
    derived::copies::{
        correct::{Correction, correct},
        held::{Held, held_by_ids},
        marker::{Marks, PendingMarker},
        path::{CopyPath, Swept},
        recover::recover_marks,
        repair::repair_path,
        rewrite::{clear_marks, rewrite, sweep_touched},
        source,
        survey::is_stale,
        sweep::{Refused, sweep},
        writing::referred_to,
    },
    derived::throttle::{Throttle, Throttler},
    error::Result,
    executor::Context,
    key::Key,
};

pub(super) struct Work<'a> {
    pub(super) context: &'a Context,
    pub(super) models: &'static [&'static ModelDefinition],
    pub(super) paths: &'a [CopyPath],
    pub(super) watcher: &'a Watcher,
}

/// What a batch asks for, for one path, each document once.
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

impl Work<'_> {
    /// Repairs every path: how many holders were refused.
    pub(super) async fn repair_all(&self) -> Result<u64> {
        let work = self.paths.iter().map(|path| (path.holder.collection, doc! {}));
        let mut throttler = Throttler::new(self.context, work.collect(), &self.watcher.throttle).await?;
        let mut refused = 0;
        for path in self.paths {
            refused += repair_path(self.context, path, &mut throttler).await?.refused;
        }
        Ok(refused)
    }

    /// Does what the events ask for; `is_due`: what old marks ask for too.
    pub(super) async fn handle(&self, events: &[Event], is_due: bool, watched: &mut Watched) -> Result<()> {
        let mut is_left = false;
        for path in self.paths {
            let tasks = Tasks::of(events, path);
            is_left |= tasks.left;
            if tasks.all {
                let throttle = self.throttle();
                let mut throttler = Throttler::new(self.context, Vec::new(), &throttle).await?;
                watched.refused += repair_path(self.context, path, &mut throttler).await?.refused;
                continue;
            }
            let mut changed = self.referred_to(path, tasks.inserted).await?;
            changed.extend(tasks.changed);
            changed.extend(self.differing(path, tasks.replaced, &mut watched.refused).await?);
            watched.sources += changed.len() as u64;
            watched.holders += tasks.held.len() as u64;
            watched.refused += match path.synced {
                true => self.propagate(path, changed).await? + self.rewrite_stale(path, tasks.held).await?,
                false => self.propagate_streamed(path, changed).await? + self.look(path, tasks.held).await?,
            };
        }
        if is_due || is_left {
            let marks = Marks::OlderThan(Marks::before(self.watcher.grace));
            let recovered = recover_marks(self.models, self.context, &self.throttle(), marks).await?;
            watched.marks += recovered.iter().map(|path| path.sources + path.holders).sum::<u64>();
            watched.refused += recovered.iter().map(|path| path.refused).sum::<u64>();
        }
        Ok(())
    }

    fn throttle(&self) -> Throttle {
        self.watcher.throttle.clone().quiet()
    }

    /// Those of these new sources that have holders already. One that comes later is re-checked by its inserter.
    async fn referred_to(&self, path: &CopyPath, mut ids: HashMap<Key, Bson>) -> Result<HashMap<Key, Bson>> {
        if ids.is_empty() {
            return Ok(ids);
        }
        let all: Vec<Bson> = ids.values().cloned().collect();
        let held = referred_to(self.context, path, &all).await?;
        ids.retain(|key, _| held.contains(key));
        Ok(ids)
    }

    /// Those of these replaced sources that some holder has other values than. A new version comes first: who read one of them
    /// before and inserts a holder after sees it. One that is marked is propagated by who marked it.
    async fn differing(
        &self,
        path: &CopyPath,
        ids: HashMap<Key, Bson>,
        refused: &mut u64,
    ) -> Result<HashMap<Key, Bson>> {
        let mark = PendingMarker::new();
        let mut differing = HashMap::new();
        for (key, id) in ids {
            let touched = match source::touch_unmarked(self.context, path, &id, mark).await {
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
                clear_marks(self.context, path, [&id], mark).await?;
            }
        }
        Ok(differing)
    }

    /// Sources that were written by others get a new version, and all of their holders with it. One that is marked has
    /// a writer who may be on the way: it gets the mark of this one, and a sweep of this one.
    async fn propagate(&self, path: &CopyPath, ids: HashMap<Key, Bson>) -> Result<u64> {
        let (mark, mut all) = (PendingMarker::new(), 0);
        for id in ids.into_values() {
            let touched = match source::touch(self.context, &[path], &id, mark).await {
                Err(error) if error.is_refusal() => {
                    tracing::warn!(%error, "a source cannot get a version, and its copies stay as they are");
                    all += 1;
                    continue;
                }
                touched => touched?,
            };
            let Some(document) = touched else { continue };
            all += count(path, sweep_touched(self.context, path, &document, mark, &self.throttle()).await?);
        }
        Ok(all)
    }

    /// Sources that are written elsewhere are read, and propagated with the time at which they were so.
    async fn propagate_streamed(&self, path: &CopyPath, ids: HashMap<Key, Bson>) -> Result<u64> {
        let mut all = 0;
        for (document, version) in source::at_one_time(self.context, path, ids.into_values().collect()).await?.values()
        {
            let Some(id) = document.get("_id") else { continue };
            let source = Swept { id, version: *version, document };
            all += count(path, sweep(self.context, path, source, &self.throttle()).await?);
        }
        Ok(all)
    }

    /// Holders that were given a reference: the source may have moved since it was read for them.
    async fn look(&self, path: &CopyPath, ids: HashMap<Key, Bson>) -> Result<u64> {
        let (ids, mut all): (Vec<Bson>, _) = (ids.into_values().collect(), 0);
        for ids in ids.chunks(1_000) {
            let held = held_by_ids(self.context, path, ids).await?;
            let sources: HashMap<Key, Bson> = held.iter().map(|held| (held.key.clone(), held.source.clone())).collect();
            let sources = source::at_one_time(self.context, path, sources.into_values().collect()).await?;
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
            all += count(path, correct(self.context, path, &corrections).await?);
        }
        Ok(all)
    }

    /// Holders of which another version of the application, or another program, may have written copies.
    async fn rewrite_stale(&self, path: &CopyPath, ids: HashMap<Key, Bson>) -> Result<u64> {
        let (ids, mut all): (Vec<Bson>, _) = (ids.into_values().collect(), 0);
        for ids in ids.chunks(1_000) {
            let held = held_by_ids(self.context, path, ids).await?;
            let sources: HashMap<Key, Bson> = held.iter().map(|held| (held.key.clone(), held.source.clone())).collect();
            let sources = source::as_they_are(self.context, path, sources.into_values().collect()).await?;
            // What has the values that it should have stays as it is: a watcher of the other version finds nothing to do then.
            let is_stale = |held: &Held| {
                let source = sources.get(&held.key);
                source.map_or(held.is_of_nothing() && held.has_values(), |source| is_stale(path, held, source))
            };
            let stale = held.into_iter().filter(is_stale).collect();
            let refused = rewrite(self.context, path, stale, &self.throttle()).await?.refused.documents;
            all += refused;
            if refused > 0 {
                let collection = path.holder.collection;
                tracing::warn!(refused, collection, "holders were refused, and their copies stay as they are");
            }
        }
        Ok(all)
    }
}

/// How many were refused, with a warning.
fn count(path: &CopyPath, refused: Refused) -> u64 {
    let (documents, collection) = (refused.documents, path.holder.collection);
    if let Err(error) = refused.none() {
        tracing::warn!(documents, collection, %error, "holders were refused, and their copies stay as they are");
    }
    documents
}

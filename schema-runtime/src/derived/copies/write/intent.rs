//! Intents: the list of holders that an insert of many holders is about to insert. An intent replaces a mark in each
//! holder, which a second write of each holder would have to clear. An intent is stored before the holders. The
//! inserter deletes the intent after the re-check of the sources. A recover deletes an intent when all holders are
//! found, since a missing holder may still come.

use std::{
    collections::HashSet,
    time::{Duration, SystemTime},
};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::settle;
use crate::{
    definition::{ModelDefinition, stored_names},
    derived::{
        copies::stored::path::CopyPath,
        marks::{Marks, PendingMarker},
        refused::Refused,
        throttle::Throttler,
    },
    document::encode_all,
    error::{Error, Result, server},
    executor::{Context, UpdateRequest},
    key::Key,
    limits::{INTENT_BYTES, INTENT_HOLDERS, SETTLED_HOLDERS},
    read::{self, Aggregate, Query},
};

/// The collection of intents of this crate.
const COLLECTION: &str = stored_names::INTENTS;

/// The age, by the clock of the client, at which recover deletes an intent although some holders are missing. No insert
/// takes so long.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The age at which recover deletes an intent with an unchecked path that the schema does not know. The version of the
/// application with the path no longer runs.
const FORGOTTEN: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The intents of one write.
#[derive(Debug, Default)]
pub(in crate::derived::copies) struct Intents {
    /// The `_id`s of the holders.
    holders: Vec<Bson>,
    /// The names of the paths in which the holders have copies.
    paths: Vec<String>,
    /// The `_id`s of the intents.
    intents: Vec<Bson>,
}

impl Intents {
    /// Creates the intents of documents that are to be inserted with copies in the given paths.
    pub(in crate::derived::copies) fn of(documents: &[Document], paths: &[&str]) -> Self {
        let holders = documents.iter().filter_map(|document| document.get("_id").cloned()).collect();
        Intents { holders, paths: paths.iter().map(|path| (*path).to_owned()).collect(), intents: Vec::new() }
    }

    /// Stores the intents before the holders are inserted.
    pub(in crate::derived::copies) fn write<'a>(
        &'a mut self,
        context: &'a Context,
        model: &'static ModelDefinition,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let mut documents = Vec::new();
            for holders in self.chunks() {
                let id = Bson::from(PendingMarker::new());
                self.intents.push(id.clone());
                documents.push(doc! { "_id": id, "holder": model.collection, "paths": &self.paths, "ids": holders });
            }
            for document in encode_all(documents)? {
                if let Err(error) = context.majority().insert_one(COLLECTION, document).await {
                    // No holder is inserted yet.
                    self.forget(context).await;
                    return Err(server::write(model, error));
                }
            }
            Ok(())
        })
    }

    fn chunks(&self) -> Vec<Vec<Bson>> {
        let (mut chunks, mut bytes) = (vec![Vec::new()], 0);
        for id in &self.holders {
            // A text, a binary or a document as `_id` may be long; all remaining types have at most 20 bytes.
            let size = match id {
                Bson::String(text) => text.len(),
                Bson::Binary(binary) => binary.bytes.len(),
                Bson::Document(_) => 1024,
                _ => 20,
            };
            if bytes + size > INTENT_BYTES
                || chunks.last().is_none_or(|chunk: &Vec<Bson>| chunk.len() == INTENT_HOLDERS)
            {
                chunks.push(Vec::new());
                bytes = 0;
            }
            bytes += size;
            chunks.last_mut().into_iter().for_each(|chunk| chunk.push(id.clone()));
        }
        chunks.retain(|chunk| !chunk.is_empty());
        chunks
    }

    /// Deletes the intents after the re-check of all holders. An intent that stays is never wrong, and recover deletes
    /// the intent.
    pub(in crate::derived::copies) async fn forget(&self, context: &Context) {
        let filter = doc! { "_id": { "$in": &self.intents } };
        if let Err(error) = context.on_the_primary().delete_many(COLLECTION, filter).await {
            let error = Error::from(error);
            tracing::debug!(%error, "intents were not deleted, and are left to recover");
        }
    }
}

/// The result of the recovery of the intents of one model's inserts.
#[derive(Debug, Default)]
pub(in crate::derived::copies) struct RecoveredIntents {
    /// The number of holders that were re-checked, for each of the paths.
    pub(in crate::derived::copies) holders: Vec<u64>,
    /// The holders that were refused, for each of the paths.
    pub(in crate::derived::copies) refused: Vec<Refused>,
}

/// Re-checks the holders of the intents that a stopped client has left, in the paths that this client knows. A
/// different version of the application re-checks the remaining paths.
pub(in crate::derived::copies) fn recover<'a>(
    context: &'a Context,
    paths: &'a [&'a CopyPath],
    marks: Marks,
    throttler: &'a mut Throttler<'_>,
) -> BoxFuture<'a, Result<RecoveredIntents>> {
    Box::pin(async move {
        let mut recovered = RecoveredIntents { holders: vec![0; paths.len()], refused: Vec::new() };
        recovered.refused.resize_with(paths.len(), Refused::default);
        let Some(first) = paths.first() else { return Ok(recovered) };
        let names: Vec<&str> = paths.iter().map(|path| path.name.as_str()).collect();
        let mut filter = marks.filter("_id");
        let old = doc! { "_id": { "$lt": Marks::before(FORGOTTEN) } };
        filter.extend(doc! { "holder": first.holder.collection, "$or": [{ "paths": { "$in": names } }, old] });
        let mut query = Query::new(COLLECTION, filter);
        query.batch_size = 1;
        let mut batches = query.batches(&context.newest()).await?;
        while let Some(batch) = batches.next().await {
            for intent in read::parsed_in(&batch?)? {
                look_at(context, paths, &intent, throttler, &mut recovered).await?;
            }
        }
        Ok(recovered)
    })
}

/// Recovers one intent. Existing and re-checked holders are removed from the intent.
async fn look_at(
    context: &Context,
    paths: &[&CopyPath],
    intent: &Document,
    throttler: &mut Throttler<'_>,
    recovered: &mut RecoveredIntents,
) -> Result<()> {
    let (Ok(ids), Ok(names)) = (intent.get_array("ids"), intent.get_array("paths")) else { return Ok(()) };
    let named = |path: &CopyPath| names.iter().any(|name| name.as_str() == Some(&path.name));
    // The holders that are missing so far, or were refused in one of the paths.
    let (mut open, mut refused): (Vec<Bson>, Vec<Bson>) = (Vec::new(), Vec::new());
    for ids in ids.chunks(SETTLED_HOLDERS as usize) {
        let mut done_in_all: Option<HashSet<Key>> = None;
        for (at, path) in paths.iter().enumerate().filter(|(_, path)| named(path)) {
            let settle::LookedByIds { done, stays } = settle::look_at_ids(context, path, ids).await?;
            recovered.holders[at] += (done.len() + stays.len()) as u64;
            recovered.refused[at].add(Refused::of(stays.iter().cloned()));
            refused.extend(stays);
            let done: HashSet<Key> = done.iter().map(Key::of).collect();
            done_in_all = Some(match done_in_all {
                Some(before) => before.intersection(&done).cloned().collect(),
                None => done,
            });
        }
        let done = done_in_all.unwrap_or_default();
        open.extend(ids.iter().filter(|id| !done.contains(&Key::of(id))).cloned());
        throttler.pause().await;
    }
    let mut unknown: Vec<&Bson> =
        names.iter().filter(|name| !paths.iter().any(|path| name.as_str() == Some(&path.name))).collect();
    let id = intent.get("_id");
    if is_older(id, FORGOTTEN) {
        unknown.clear();
    }
    // A missing holder will not come any more; a refused holder waits.
    if is_older(id, LONGEST) {
        open = refused;
    }
    let one = doc! { "_id": { "$eq": id.unwrap_or(&Bson::Null) } };
    let context = context.on_the_primary();
    if open.is_empty() && unknown.is_empty() {
        context.delete_one(COLLECTION, one).await?;
        return Ok(());
    }
    let update = match (open.is_empty(), unknown.is_empty()) {
        (true, _) => doc! { "$set": { "paths": unknown } },
        (false, true) if open.len() < ids.len() => doc! { "$set": { "ids": open } },
        // Clients with the unknown paths re-check all holders in the unknown paths.
        (false, _) => return Ok(()),
    };
    context.update_one(COLLECTION, UpdateRequest { filter: one, update, ..UpdateRequest::default() }).await?;
    Ok(())
}

fn is_older(id: Option<&Bson>, than: Duration) -> bool {
    let Some(id) = id.and_then(Bson::as_object_id) else { return true };
    let made = SystemTime::from(ObjectId::timestamp(&id));
    SystemTime::now().duration_since(made).is_ok_and(|age| age > than)
}

/// Returns the given holders that an intent names. The sources of the named holders are about to be re-checked.
pub(in crate::derived::copies) async fn named(
    context: &Context,
    path: &CopyPath,
    holders: &[Bson],
) -> Result<Vec<Key>> {
    let filter = doc! { "holder": path.holder.collection, "paths": &path.name, "ids": { "$in": holders } };
    let those = doc! { "$setIntersection": ["$ids", { "$literal": holders }] };
    let pipeline = vec![doc! { "$match": filter }, doc! { "$project": { "_id": 0, "ids": those } }];
    let mut named = Vec::new();
    for intent in (Aggregate { collection: Some(COLLECTION), pipeline }).all(context).await? {
        named.extend(intent.get_array("ids").into_iter().flatten().map(Key::of));
    }
    Ok(named)
}

/// Returns the number of holders that the intents name.
pub(crate) async fn count(context: &Context, path: &CopyPath) -> Result<u64> {
    let of_path = doc! { "holder": path.holder.collection, "paths": &path.name };
    let count = doc! { "_id": null, "count": { "$sum": { "$toLong": { "$size": "$ids" } } } };
    let pipeline = vec![doc! { "$match": of_path }, doc! { "$group": count }];
    let found = Aggregate { collection: Some(COLLECTION), pipeline }.all(context).await?;
    Ok(found.first().and_then(|found| found.get_i64("count").ok()).map_or(0, |count| count as u64))
}

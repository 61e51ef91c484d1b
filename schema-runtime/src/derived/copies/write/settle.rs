//! The re-check after a copy was filled: reads the sources again, corrects holders of an older version, and clears the
//! marks. Reaches the server.

use std::{
    collections::{HashMap, HashSet},
    mem,
};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, Timestamp, doc};

use super::{clears::clear_soon, fill::HoldersOf, sweep::to};
use crate::{
    derived::{
        copies::stored::{
            path::{CopyPath, Swept},
            source::{self, SourceRead},
            structs,
        },
        marks::PendingMarker,
        refused::{Refused, send_all, send_through},
    },
    error::{Error, Result, server},
    executor::{Context, UpdateRequest},
    key::Key,
    limits::{SETTLED_BYTES, SETTLED_HOLDERS},
    read::{self, Query},
};

/// The number of holders that have the mark of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkedHolders {
    One,
    Several,
}

/// Re-checks as the writer, which knows the versions of the filled sources. Sources that have moved since are
/// propagated to the holders with the mark, and then the mark is cleared. The mark of a single holder is cleared soon.
pub(crate) fn look<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    mark: PendingMarker,
    used: &'a HashMap<Key, SourceRead>,
    holders: MarkedHolders,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let marked = doc! { path.holder_mark(): mark };
        let moved = moved(context, path, used).await?;
        let corrections = moved.values().map(|source| (path.statement(source.swept(), marked.clone()), true));
        send_all(context, path.holder, corrections.collect()).await?;
        if holders == MarkedHolders::One {
            clear_soon(&context.on_the_primary(), path.holder.collection, path.holder_mark(), mark).await;
            return Ok(());
        }
        clear(context, path, marked).await
    })
}

/// Re-checks holders without a mark, given by source.
pub(in crate::derived::copies) fn look_by_ids<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    holders: &'a HoldersOf,
    used: &'a HashMap<Key, SourceRead>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let mut corrections = Vec::new();
        for (key, source) in &moved(context, path, used).await? {
            for ids in holders.get(key).map_or(&[][..], Vec::as_slice).chunks(SETTLED_HOLDERS as usize) {
                corrections.push((to(path, source.swept(), doc! { "$in": ids }), true));
            }
        }
        send_all(context, path.holder, corrections).await
    })
}

/// Returns the sources that have a different version by now, in the present state.
async fn moved(
    context: &Context,
    path: &CopyPath,
    used: &HashMap<Key, SourceRead>,
) -> Result<HashMap<Key, SourceRead>> {
    let ids = used.values().map(|source| source.id.clone()).collect();
    let mut now = source::read(context, path, ids).await?;
    now.retain(|key, source| used.get(key).is_some_and(|used| used.version != source.version));
    Ok(now)
}

/// Clears the marks of the holders that match the filter.
pub(crate) async fn clear(context: &Context, path: &CopyPath, marked: Document) -> Result<()> {
    let update = doc! { "$unset": { path.holder_mark(): "" } };
    let context = context.on_the_primary();
    let sent = context
        .update_many(path.holder.collection, UpdateRequest { filter: marked, update, ..UpdateRequest::default() })
        .await;
    sent.map(drop).map_err(|error| server::write(path.holder, error))
}

/// The result of the re-check of marked holders.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    pub(crate) holders: u64,
    pub(crate) refused: Refused,
}

/// Re-checks from the marks alone: reads, corrects and clears the holders that match `filter`. Holders that the server
/// refused stay marked.
pub(crate) fn look_at_marked<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    filter: Document,
) -> BoxFuture<'a, Result<Looked>> {
    Box::pin(async move {
        let mut query = Query::new(path.holder.collection, filter);
        query.projection = fields_of_look(path);
        query.batch_size = SETTLED_HOLDERS;
        let mut batches = query.batches(&context.newest()).await?;
        let mut looked = Looked::default();
        while let Some(batch) = batches.next().await {
            let batch = batch?;
            let (mut holders, mut bytes) = (Vec::new(), 0);
            for document in read::documents_in(&batch)? {
                let document = document?;
                bytes += document.as_bytes().len();
                holders.push(Document::try_from(document).map_err(Error::encode)?);
                looked.holders += 1;
                if bytes > SETTLED_BYTES {
                    looked.refused.add(look_at(context, path, mem::take(&mut holders)).await?.0);
                    bytes = 0;
                }
            }
            if !holders.is_empty() {
                looked.refused.add(look_at(context, path, holders).await?.0);
            }
        }
        Ok(looked)
    })
}

/// The result of the re-check of holders by `_id`.
pub(in crate::derived::copies) struct LookedByIds {
    pub(in crate::derived::copies) done: Vec<Bson>,
    /// The holders that the server refused.
    pub(in crate::derived::copies) stays: Vec<Bson>,
}

/// Re-checks the existing holders with the given `_id`s.
pub(in crate::derived::copies) fn look_at_ids<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    ids: &'a [Bson],
) -> BoxFuture<'a, Result<LookedByIds>> {
    Box::pin(async move {
        let mut query = Query::by_ids(path.holder.collection, ids);
        query.projection = fields_of_look(path);
        let holders = query.all(&context.newest()).await?;
        let there: Vec<Bson> = holders.iter().filter_map(|holder| holder.get("_id").cloned()).collect();
        let (_, stays) = look_at(context, path, holders).await?;
        let mut looked = LookedByIds { done: Vec::new(), stays: Vec::new() };
        for (at, id) in there.into_iter().enumerate() {
            if stays.contains(&at) { looked.stays.push(id) } else { looked.done.push(id) }
        }
        Ok(looked)
    })
}

fn fields_of_look(path: &CopyPath) -> Document {
    doc! { "_id": 1, path.holder_mark(): 1, path.reference_path(): 1, path.version_path(): 1 }
}

/// Re-checks holders, each read with the fields of the re-check. Returns the refused holders, and the positions of the
/// refused holders.
fn look_at<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    mut holders: Vec<Document>,
) -> BoxFuture<'a, Result<(Refused, HashSet<usize>)>> {
    Box::pin(async move {
        let mut wanted: Vec<Vec<(Bson, Option<Timestamp>)>> = Vec::new();
        let mut ids: HashMap<Key, Bson> = HashMap::new();
        for holder in &mut holders {
            let mut references = Vec::new();
            structs::in_document(path, holder, &mut |found| {
                if let Some(id) = found.get(path.reference).filter(|id| **id != Bson::Null) {
                    references.push((id.clone(), found.get_timestamp(path.version()).ok()));
                }
            });
            ids.extend(references.iter().map(|(id, _)| (Key::of(id), id.clone())));
            wanted.push(references);
        }
        let (sources, mut without_version) = source::read_through(context, path, ids.into_values().collect()).await?;
        let (mut corrections, mut corrected, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for (at, (holder, references)) in holders.iter().zip(wanted).enumerate() {
            for (id, version) in references {
                let key = Key::of(&id);
                let Some(source) = sources.get(&key) else {
                    if without_version.contains_key(&key) {
                        waiting.push((at, key));
                    }
                    continue;
                };
                if version != Some(source.version) {
                    corrected.push(at);
                    corrections.push((path.statement(source.swept(), has_id(holder)), false));
                }
            }
        }
        let (mut refused, mut stays) = (Refused::default(), HashSet::new());
        for (at, key) in waiting {
            if stays.insert(at) {
                let id = id_of(&holders[at]);
                refused.add(match without_version.remove(&key) {
                    Some(error) => Refused::one(id, error),
                    None => Refused::of([id]),
                });
            }
        }
        for (at, error) in send_through(context, path.holder, corrections).await? {
            if let Some(at) = corrected.get(at).filter(|at| stays.insert(**at)) {
                refused.add(Refused::one(id_of(&holders[*at]), error));
            }
        }
        let mark = path.holder_mark();
        let (mut clears, mut cleared) = (Vec::new(), Vec::new());
        for (at, holder) in holders.iter().enumerate().filter(|(at, _)| !stays.contains(at)) {
            let Some(own) = holder.get(&mark) else { continue };
            let mut filter = has_id(holder);
            filter.insert(&mark, doc! { "$eq": own });
            clears.push((
                UpdateRequest { filter, update: doc! { "$unset": { &mark: "" } }, ..UpdateRequest::default() },
                false,
            ));
            cleared.push(at);
        }
        for (at, error) in send_through(context, path.holder, clears).await? {
            if let Some(at) = cleared.get(at).filter(|at| stays.insert(**at)) {
                refused.add(Refused::one(id_of(&holders[*at]), error));
            }
        }
        Ok((refused, stays))
    })
}

fn has_id(holder: &Document) -> Document {
    doc! { "_id": { "$eq": id_of(holder) } }
}

fn id_of(holder: &Document) -> Bson {
    holder.get("_id").cloned().unwrap_or(Bson::Null)
}

impl SourceRead {
    pub(crate) fn swept(&self) -> Swept<'_> {
        Swept { id: &self.id, version: self.version, document: &self.document }
    }
}

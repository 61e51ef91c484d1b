//! The sources of copies, as read for a holder.

use std::collections::HashMap;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument, Timestamp, doc};

use super::path::{CopyPath, VERSION};
use crate::{
    definition::ModelDefinition,
    derived::{
        marks::PendingMarker,
        refused::{Refused, send_through, update_marked},
    },
    error::{Error, Result, code, server},
    executor::{Context, UpdateRequest},
    key::{self, Key},
    limits::ASKED_SOURCES,
    read::Query,
};

/// A source with its version.
#[derive(Clone, Debug)]
pub(crate) struct SourceRead {
    /// The model's full name.
    pub(crate) model: &'static str,
    pub(crate) id: Bson,
    pub(crate) version: Timestamp,
    /// The copied fields.
    pub(crate) document: Document,
    pub(crate) presence: Presence,
}

/// The presence of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    There,
    /// The source is missing, and the reference may dangle. The copies are null until the source is inserted.
    Absent,
    /// The source is missing, and the stored document refers to the source. The copies keep the stored values.
    Left,
}

/// Reads the sources with the given `_id`s, as a majority has the sources. A source that was never copied gets a first
/// version.
///
/// # Errors
/// The error of the server that refuses a first version.
pub(crate) fn read<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    ids: Vec<Bson>,
) -> BoxFuture<'a, Result<HashMap<Key, SourceRead>>> {
    Box::pin(async move {
        let (found, mut refused) = read_through(context, path, ids).await?;
        let first = refused.drain().next();
        first.map_or(Ok(found), |(_, error)| Err(error))
    })
}

/// Reads the sources with the given `_id`s, and returns the refusals of first versions by source.
pub(in crate::derived::copies) async fn read_through(
    context: &Context,
    path: &CopyPath,
    ids: Vec<Bson>,
) -> Result<(HashMap<Key, SourceRead>, HashMap<Key, Error>)> {
    let (mut found, mut without) = (HashMap::new(), Vec::new());
    for document in documents(context, path, ids).await? {
        match version_of(&document) {
            Some(version) => insert(&mut found, path, document, version),
            None => without.extend(document.get("_id").cloned()),
        }
    }
    let (documents, mut refused) = versioned(context, path, without).await?;
    for document in documents {
        if let Some(version) = version_of(&document) {
            insert(&mut found, path, document, version);
        }
    }
    // A concurrent client has given the source a version by now.
    refused.retain(|key, _| !found.contains_key(key));
    Ok((found, refused))
}

/// Returns the version of a source, as a majority has the source.
pub(crate) fn version_of(document: &Document) -> Option<Timestamp> {
    document.get_timestamp(VERSION).ok()
}

fn insert(found: &mut HashMap<Key, SourceRead>, path: &CopyPath, document: Document, version: Timestamp) {
    let Some(id) = document.get("_id").cloned() else { return };
    found
        .insert(Key::of(&id), SourceRead { model: path.source.name, id, version, document, presence: Presence::There });
}

/// Reads the sources with the given `_id`s in the present state, each with the version and the mark of the path. Writes
/// nothing.
pub(in crate::derived::copies) async fn as_they_are(
    context: &Context,
    path: &CopyPath,
    ids: Vec<Bson>,
) -> Result<HashMap<Key, Document>> {
    let mut projection = fields([path]);
    if path.synced {
        projection.insert(path.source_mark(), 1);
    }
    let found = projected(context, path, ids, projection).await?.into_iter();
    Ok(found.filter_map(|document| Some((Key::of(document.get("_id")?), document))).collect())
}

/// Reads the sources with the given `_id`s, each with the copied fields and the version.
async fn documents(context: &Context, path: &CopyPath, ids: Vec<Bson>) -> Result<Vec<Document>> {
    projected(context, path, ids, fields([path])).await
}

async fn projected(
    context: &Context,
    path: &CopyPath,
    mut ids: Vec<Bson>,
    projection: Document,
) -> Result<Vec<Document>> {
    let mut documents = Vec::new();
    ids.retain(key::may_be_an_id);
    for ids in ids.chunks(ASKED_SOURCES) {
        let query = Query { projection: projection.clone(), ..Query::by_ids(path.source.collection, ids) };
        documents.extend(query.all(context).await?);
    }
    Ok(documents)
}

/// Returns the projection of the fields that the paths copy, and of the version.
pub(crate) fn fields<'p>(paths: impl IntoIterator<Item = &'p CopyPath>) -> Document {
    let mut fields = doc! { VERSION: 1 };
    // The projection names whole fields: the server refuses a projection of both a path and a prefix of the path.
    let names = paths.into_iter().flat_map(CopyPath::from).map(|from| from.split('.').next().unwrap_or(from));
    fields.extend(names.map(|name| (name.to_owned(), Bson::Int32(1))));
    fields
}

/// Reads the sources with the given `_id`s as a majority has the sources at one time. Each source comes with the time.
pub(in crate::derived::copies) async fn at_one_time(
    context: &Context,
    path: &CopyPath,
    mut ids: Vec<Bson>,
) -> Result<HashMap<Key, (Document, Timestamp)>> {
    let mut found = HashMap::new();
    ids.retain(key::may_be_an_id);
    let mut chunks: Vec<&[Bson]> = ids.chunks(ASKED_SOURCES).collect();
    while let Some(ids) = chunks.pop() {
        let filter = doc! { "_id": { "$in": ids } };
        let read = context.find_at_one_time(path.source.collection, filter, fields([path]), ids.len()).await?;
        match read {
            Some((documents, time)) => {
                let documents = documents.into_iter();
                found.extend(documents.filter_map(|document| Some((Key::of(document.get("_id")?), (document, time)))));
            }
            // A reply can hold a single document.
            None => chunks.extend(<[_; 2]>::from(ids.split_at(ids.len() / 2))),
        }
    }
    Ok(found)
}

/// Gives sources a first version, and reads the sources again, since another client may have been faster. Refused
/// sources stay without a version, and all remaining sources get a version.
async fn versioned(context: &Context, path: &CopyPath, ids: Vec<Bson>) -> Result<(Vec<Document>, HashMap<Key, Error>)> {
    let mut refused = HashMap::new();
    for ids in ids.chunks(ASKED_SOURCES) {
        match context.update_many(path.source.collection, first_version(doc! { "$in": ids })).await {
            Err(error) if code::is_refusal(&error) && !context.in_transaction() => {
                let touch = |id: &Bson| (first_version(doc! { "$eq": id }), false);
                let each = send_through(context, path.source, ids.iter().map(touch).collect()).await?;
                refused.extend(each.into_iter().filter_map(|(at, error)| Some((Key::of(ids.get(at)?), error))));
            }
            written => drop(written.map_err(|error| server::write(path.source, error))?),
        }
    }
    Ok((documents(context, path, ids).await?, refused))
}

fn first_version(ids: Document) -> UpdateRequest {
    UpdateRequest {
        filter: doc! { "_id": ids, VERSION: { "$exists": false } },
        update: doc! { "$currentDate": { VERSION: { "$type": "timestamp" } } },
        ..UpdateRequest::default()
    }
}

/// Gives a source a new version for the present values, and a mark for each of the paths. Returns `None` when the
/// source is missing.
pub(crate) fn touch<'a>(
    context: &'a Context,
    paths: &'a [&'a CopyPath],
    id: &'a Bson,
    mark: PendingMarker,
) -> BoxFuture<'a, Result<Option<Document>>> {
    Box::pin(async move { touch_where(context, paths, doc! { "_id": { "$eq": id } }, mark).await })
}

/// Touches the source when the source has no mark of the path. Without a mark no propagation is under way: all holders
/// are as new as the last sweep, and holders with equal values may stay unchanged. Returns `None` also for a source
/// with a mark.
pub(in crate::derived::copies) async fn touch_unmarked(
    context: &Context,
    path: &CopyPath,
    id: &Bson,
    mark: PendingMarker,
) -> Result<Option<Document>> {
    touch_where(context, &[path], doc! { "_id": { "$eq": id }, path.source_mark(): { "$exists": false } }, mark).await
}

/// Touches the sources that still have the marks of the read.
pub(in crate::derived::copies) async fn touch_marked(
    context: &Context,
    path: &CopyPath,
    sources: &[Document],
    mark: PendingMarker,
) -> Result<Refused> {
    update_marked(context, path.source, &path.source_mark(), sources, &touching(&[path], mark)).await
}

/// Returns the update of a touch.
fn touching(paths: &[&CopyPath], mark: PendingMarker) -> Document {
    let marks: Document = paths.iter().map(|path| (path.source_mark(), Bson::from(mark))).collect();
    doc! { "$currentDate": { VERSION: { "$type": "timestamp" } }, "$set": marks }
}

async fn touch_where(
    context: &Context,
    paths: &[&CopyPath],
    filter: Document,
    mark: PendingMarker,
) -> Result<Option<Document>> {
    let Some(first) = paths.first() else { return Ok(None) };
    let sent = UpdateRequest { filter, update: touching(paths, mark), ..UpdateRequest::default() };
    after(context, first.source, sent, fields(paths.iter().copied())).await
}

/// Returns a source that was read whole; `None` before the first version.
pub(crate) fn of_whole(model: &ModelDefinition, document: &RawDocument) -> Result<Option<SourceRead>> {
    let document = Document::try_from(document).map_err(Error::encode)?;
    let id = document.get("_id").cloned();
    Ok(id.zip(version_of(&document)).map(|(id, version)| SourceRead {
        model: model.name,
        id,
        version,
        document,
        presence: Presence::There,
    }))
}

async fn after(
    context: &Context,
    source: &'static ModelDefinition,
    sent: UpdateRequest,
    projection: Document,
) -> Result<Option<Document>> {
    let found = context.find_one_and_update(source.collection, sent, true, projection).await;
    let found = found.map_err(|error| server::write(source, error))?;
    found.map(|raw| Document::try_from(&*raw).map_err(Error::encode)).transpose()
}

//! The copies of one path in their holders, read in chunks. Reaches the server.

use mongodb::{
    bson::{Bson, Document, RawDocument, Timestamp, doc},
    raw_batch_cursor::RawBatch,
};

use crate::{
    derived::copies::stored::{path::CopyPath, structs},
    document::value_at,
    error::{Error, Result},
    executor::{Context, Replies},
    key::Key,
    limits::{READ_HOLDER_BYTES, READ_HOLDERS},
    read::{self, Query},
};

/// A copy in a holder.
#[derive(Debug)]
pub(crate) struct Held {
    /// The `_id` of the holder.
    pub(crate) holder: Bson,
    /// The reference beside the copy.
    pub(crate) source: Bson,
    pub(crate) key: Key,
    pub(crate) version: Option<Timestamp>,
    /// True when the copies are of the fields that the path copies.
    pub(in crate::derived::copies) is_whole: bool,
    pub(in crate::derived::copies) values: Vec<Bson>,
    /// True when the holder waits for a re-check.
    pub(in crate::derived::copies) marked: bool,
}

impl Held {
    /// Returns whether the reference is null.
    pub(in crate::derived::copies) fn is_of_nothing(&self) -> bool {
        self.source == Bson::Null
    }

    pub(in crate::derived::copies) fn has_values(&self) -> bool {
        self.values.iter().any(|value| *value != Bson::Null)
    }
}

/// A number of whole holders.
#[derive(Debug)]
pub(in crate::derived::copies) struct Chunk {
    /// The number of holders.
    pub(in crate::derived::copies) holders: u64,
    /// The copies of the holders. The copies of one holder are adjacent.
    pub(in crate::derived::copies) held: Vec<Held>,
}

/// The matching holders as a stream of chunks. The stream holds one reply of the server.
pub(in crate::derived::copies) struct Holders<'a> {
    path: &'a CopyPath,
    replies: Replies,
    batch: Option<RawBatch>,
    /// The number of documents taken from the batch.
    taken: usize,
}

impl<'a> Holders<'a> {
    pub(in crate::derived::copies) async fn new(
        context: &Context,
        path: &'a CopyPath,
        filter: Document,
        chunk: u32,
    ) -> Result<Self> {
        let batch_size = chunk.min(READ_HOLDERS);
        let query = Query { projection: path.copies(), batch_size, ..Query::new(path.holder.collection, filter) };
        Ok(Holders { path, replies: query.batches(context).await?, batch: None, taken: 0 })
    }

    /// Returns the next chunk; `None` after the last.
    pub(in crate::derived::copies) async fn next(&mut self) -> Result<Option<Chunk>> {
        if self.batch.is_none() {
            let Some(batch) = self.replies.next().await else { return Ok(None) };
            (self.batch, self.taken) = (Some(batch?), 0);
        }
        let Some(batch) = &self.batch else { return Ok(None) };
        let mut chunk = Chunk { holders: 0, held: Vec::new() };
        let (mut bytes, mut is_rest) = (0, true);
        for document in read::documents_in(batch)?.skip(self.taken) {
            if bytes > READ_HOLDER_BYTES {
                is_rest = false;
                break;
            }
            let document = document?;
            self.taken += 1;
            bytes += document.as_bytes().len();
            chunk.holders += 1;
            chunk.held.extend(held_in(self.path, document)?);
        }
        if is_rest {
            self.batch = None;
        }
        Ok(Some(chunk))
    }
}

/// Reads all copies of the holders with the given `_id`s.
pub(in crate::derived::copies) async fn held_by_ids(
    context: &Context,
    path: &CopyPath,
    ids: &[Bson],
) -> Result<Vec<Held>> {
    let mut held = Vec::new();
    let mut holders = Holders::new(context, path, doc! { "_id": { "$in": ids } }, u32::MAX).await?;
    while let Some(chunk) = holders.next().await? {
        held.extend(chunk.held);
    }
    Ok(held)
}

impl CopyPath {
    /// Returns the projection of the references, the copies, the versions, and the mark.
    fn copies(&self) -> Document {
        let (version, field_set) = (self.version(), self.field_set());
        let names = self.fields.iter().map(|field| field.name).chain([self.reference, &version, &field_set]);
        let mut projection = doc! { "_id": 1, self.holder_mark(): 1 };
        projection.extend(names.map(|name| (self.at(name), Bson::Int32(1))));
        projection
    }
}

/// Returns the copies in a document. A null reference should have no copies; the function returns only copies of a null reference that have
/// a value or a version.
fn held_in(path: &CopyPath, document: &RawDocument) -> Result<Vec<Held>> {
    let mut document = Document::try_from(document).map_err(Error::encode)?;
    let id = document.get("_id").cloned().unwrap_or(Bson::Null);
    let marked = document.contains_key(path.holder_mark());
    let checksum = path.field_set_checksum();
    let mut held = Vec::new();
    structs::in_document(path, &mut document, &mut |found| {
        let source = found.get(path.reference).unwrap_or(&Bson::Null);
        let values: Vec<Bson> = path.fields.iter().map(|field| value_at(found, field.name)).collect();
        let version = found.get_timestamp(path.version()).ok();
        let has_none = !path.may_be_empty || version.is_none() && values.iter().all(|value| *value == Bson::Null);
        if *source == Bson::Null && has_none {
            return;
        }
        held.push(Held {
            holder: id.clone(),
            source: source.clone(),
            key: Key::of(source),
            version,
            is_whole: found.get_i32(path.field_set()).is_ok_and(|set| set == checksum),
            values,
            marked,
        });
    });
    Ok(held)
}

//! The look after a copy was put in: the sources are read again, holders of an older version are mended, the marks are cleared.
//! Reaches the server.

use std::collections::HashMap;

use mongodb::{
    bson::{Bson, Document, RawDocument, Timestamp, doc, oid::ObjectId},
    error::Error as DriverError,
};

use super::{
    clears::clear_soon,
    path::CopyPath,
    source::{self, SourceRead},
    structs,
    sweep::{Swept, send_all},
};
use crate::{
    error::{Error, Result, server},
    executor::{Context, Sent},
    key::Key,
    read::Query,
};

/// How many marked holders are looked at together.
const CHUNK: u32 = 500;

/// The look of one who knows which sources' versions were put in under a mark. The sources that moved since are carried to
/// the holders with that mark; then the mark is cleared, that of one holder soon.
pub(crate) async fn look(
    context: &Context,
    path: &CopyPath,
    mark: ObjectId,
    used: &HashMap<Key, SourceRead>,
    of_one: bool,
) -> Result<()> {
    let marked = doc! { path.holder_mark(): mark };
    let ids = used.values().map(|source| source.id.clone()).collect();
    let now = source::read(context, path, ids).await?;
    let mut mends = Vec::new();
    for (key, source) in &now {
        if used.get(key).is_some_and(|used| used.version != source.version) {
            mends.push((path.statement(source.swept(), marked.clone()), true));
        }
    }
    send_all(context, path.holder, mends).await?;
    if of_one {
        clear_soon(&context.on_the_primary(), path.holder.collection, path.holder_mark(), mark).await;
        return Ok(());
    }
    clear(context, path, marked).await
}

/// Clears the marks of the holders that match.
pub(crate) async fn clear(context: &Context, path: &CopyPath, marked: Document) -> Result<()> {
    let update = doc! { "$unset": { path.holder_mark(): "" } };
    let context = context.on_the_primary();
    let sent = context.update_many(path.holder.collection, Sent { filter: marked, update, ..Sent::default() }).await;
    sent.map(drop).map_err(|error| server::write(path.holder, error))
}

/// The look of one who knows nothing but the marks: the holders that match `filter` are read, mended and cleared. How many
/// there were.
pub(crate) async fn look_at_marked(context: &Context, path: &CopyPath, filter: Document) -> Result<u64> {
    let mut query = Query::new(path.holder.collection, filter);
    query.projection = doc! { "_id": 1, path.holder_mark(): 1, path.reference_path(): 1, path.version_path(): 1 };
    query.batch_size = CHUNK;
    let mut batches = query.batches(&context.newest()).await?;
    let mut looked = 0;
    while let Some(batch) = batches.next().await {
        let mut holders = Vec::new();
        for document in batch?.doc_slices()? {
            let document = document.map_err(DriverError::from)?;
            holders.extend(document.as_document().map(Holder::of).transpose()?);
        }
        looked += holders.len() as u64;
        mend(context, path, holders).await?;
    }
    Ok(looked)
}

/// A holder, as much of it as a look needs.
struct Holder {
    id: Bson,
    document: Document,
}

impl Holder {
    fn of(document: &RawDocument) -> Result<Self> {
        let document = Document::try_from(document).map_err(Error::encode)?;
        Ok(Holder { id: document.get("_id").cloned().unwrap_or(Bson::Null), document })
    }
}

async fn mend(context: &Context, path: &CopyPath, mut holders: Vec<Holder>) -> Result<()> {
    let mut wanted: Vec<Vec<(Bson, Option<Timestamp>)>> = Vec::new();
    let mut ids: HashMap<Key, Bson> = HashMap::new();
    for holder in &mut holders {
        let mut references = Vec::new();
        structs::in_document(path, &mut holder.document, &mut |found| {
            if let Some(id) = found.get(path.reference).filter(|id| **id != Bson::Null) {
                references.push((id.clone(), found.get_timestamp(path.version()).ok()));
            }
        });
        ids.extend(references.iter().map(|(id, _)| (Key::of(id), id.clone())));
        wanted.push(references);
    }
    let sources = source::read(context, path, ids.into_values().collect()).await?;
    let mut mends = Vec::new();
    for (holder, references) in holders.iter().zip(wanted) {
        for (id, version) in references {
            let Some(source) = sources.get(&Key::of(&id)) else { continue };
            if version != Some(source.version) {
                mends.push((path.statement(source.swept(), doc! { "_id": { "$eq": &holder.id } }), false));
            }
        }
    }
    send_all(context, path.holder, mends).await?;
    let mark = path.holder_mark();
    let clears = holders.iter().filter_map(|holder| {
        let own = holder.document.get_document("_look").ok()?.get(&path.name)?;
        let filter = doc! { "_id": { "$eq": &holder.id }, &mark: { "$eq": own } };
        Some((Sent { filter, update: doc! { "$unset": { &mark: "" } }, ..Sent::default() }, false))
    });
    let clears = clears.collect();
    send_all(context, path.holder, clears).await
}

impl SourceRead {
    pub(crate) fn swept(&self) -> Swept<'_> {
        Swept { id: &self.id, version: self.version, document: &self.document }
    }
}

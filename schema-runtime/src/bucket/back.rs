//! Moves children in buckets back into separate documents. Each step is one transaction; the protocol is
//! `docs/buckets-protocol.md`.

use std::ops::ControlFlow;

use futures_util::future::BoxFuture;
use mongodb::{
    Database,
    bson::{Bson, Document, RawDocumentBuf, doc},
};

use super::{
    layout::{COUNT, ITEMS, Layout, PAGE},
    step::{Size, not_moved},
};
use crate::{
    definition::ModelDefinition,
    derived::throttle::{Throttle, Throttler},
    error::{Error, Result, server},
    executor::{Context, Executor, UpdateRequest},
    field,
    read::{self, Query},
    transaction::transaction,
};

/// Moves all children out of the buckets of a model into documents of another model, and drops the collection of the
/// buckets. Returns the number of moved children.
pub(super) fn into_documents<'a>(
    db: &'a Database,
    layout: Layout,
    linked: &'static ModelDefinition,
    throttle: &'a Throttle,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move {
        let context = db.context()?.newest();
        let total = match throttle.is_watched() {
            true => children(&context, &layout).await?,
            false => 0,
        };
        let mut throttler = Throttler::of(total, throttle);
        let (mut moved, mut from, mut size) = (0, None, Size::new(throttle));
        loop {
            let (start, most) = (&from, size.now());
            let step = transaction(db, |transaction| async move {
                step(&transaction.context, &layout, linked, start.as_ref(), most).await
            });
            match step.await {
                Ok(Step { moved: 0, .. }) if from.is_none() => break,
                Ok(Step { moved: 0, .. }) => from = None,
                Ok(step) => {
                    moved += step.moved;
                    from = step.last;
                    size.greater();
                    throttler.done(step.moved);
                    throttler.pause().await;
                }
                Err(error) => size.smaller(error)?,
            }
        }
        context.drop_collection(layout.collection()).await?;
        Ok(moved)
    })
}

/// Returns the number of children in all buckets.
async fn children(context: &Context, layout: &Layout) -> Result<u64> {
    let sum = doc! { "$group": { "_id": Bson::Null, "n": { "$sum": format!("${COUNT}") } } };
    let sum = read::Aggregate { collection: Some(layout.collection()), pipeline: vec![sum] }.all(context).await?;
    Ok(sum.first().map_or(0, |sum| crate::document::count(sum.get("n"))))
}

/// The number of children moved by a transaction, and the place of the last bucket.
struct Step {
    moved: u64,
    last: Option<Document>,
}

/// Turns the children of the first buckets, from a place on, into documents. The buckets stay, empty.
async fn step(
    context: &Context,
    layout: &Layout,
    linked: &'static ModelDefinition,
    start: Option<&Document>,
    most: usize,
) -> Result<Step> {
    let Buckets { ids, documents, last } = next(context, layout, start, most).await?;
    if documents.is_empty() {
        return Ok(Step { moved: 0, last: None });
    }
    let moved = documents.len() as u64;
    let names: Vec<Option<Bson>> = documents.iter().map(|document| read::id(document)).collect();
    if let Err(error) = context.insert_many(linked.collection, documents, true).await {
        let error = server::write_many(linked, 0, error);
        let refused = match &error {
            Error::InsertMany { index: Some(index), .. } => names.get(*index).cloned().flatten(),
            _ => None,
        };
        return Err(not_moved(linked.collection, refused, error.into_source()));
    }
    let update = doc! { "$set": { ITEMS: [], COUNT: 0 } };
    let sent = UpdateRequest { filter: doc! { "_id": { "$in": ids } }, update, ..UpdateRequest::default() };
    let emptied = context.update_many(layout.collection(), sent).await;
    emptied.map_err(|error| server::write(layout.model, error))?;
    Ok(Step { moved, last })
}

/// Buckets with children.
#[derive(Default)]
struct Buckets {
    ids: Vec<Bson>,
    documents: Vec<RawDocumentBuf>,
    last: Option<Document>,
}

/// Reads the buckets for the next transaction, at least one bucket.
async fn next(context: &Context, layout: &Layout, start: Option<&Document>, most: usize) -> Result<Buckets> {
    let mut names = layout.chain_fields();
    names.push(PAGE);
    // The stored children count, whatever `count` says: the collection is dropped when no child is left.
    let mut filter = doc! { format!("{ITEMS}.0"): { "$exists": true } };
    if let Some(start) = start {
        filter.insert("$or", from(&names, start));
    }
    let mut query = Query::new(layout.collection(), filter);
    query.sort = names.iter().map(|name| ((*name).to_owned(), Bson::Int32(1))).collect();
    query.batch_size = (most / layout.size().max(1)).max(1) as u32;
    let (mut found, mut bytes) = (Buckets::default(), 0);
    query
        .for_each(context, |bucket| {
            let children = layout.children(bucket)?;
            if !found.documents.is_empty() && found.documents.len() + children.len() > most {
                return Ok(ControlFlow::Break(()));
            }
            bytes += bucket.as_bytes().len();
            found.ids.extend(read::id(bucket));
            found.documents.extend(children);
            found.last = Some(place(&names, bucket)?);
            Ok(if Size::is_enough(bytes) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
        .await?;
    Ok(found)
}

/// Returns the place of a bucket in the order of the buckets: the values of the named fields.
fn place(names: &[&'static str], bucket: &mongodb::bson::RawDocument) -> Result<Document> {
    let value = |name: &&'static str| {
        let value = bucket.get(name).ok().flatten().and_then(|value| Bson::try_from(value).ok());
        ((*name).to_owned(), value.unwrap_or(Bson::Null))
    };
    Ok(names.iter().map(value).collect())
}

/// Returns the conditions for the buckets from this place on: one range of the index for each field of the place.
fn from(names: &[&'static str], place: &Document) -> Vec<Document> {
    let (mut equal, mut ranges) = (Document::new(), Vec::new());
    for (at, name) in names.iter().enumerate() {
        let value = place.get(*name).cloned().unwrap_or(Bson::Null);
        let operator = if at + 1 == names.len() { "$gte" } else { "$gt" };
        let mut range = equal.clone();
        range.insert(*name, doc! { operator: value.clone() });
        ranges.push(range);
        equal.extend(field::equal((*name).to_owned(), value));
    }
    ranges
}

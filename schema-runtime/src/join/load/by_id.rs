//! Reads children by the `_id`s that the parents hold.

use std::ops::ControlFlow;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument, doc};

use super::side_by_side::{Command, Sink, side_by_side};
use crate::{
    definition::Texts,
    error::Result,
    executor::Executor,
    join::{
        Fields, Item, Joined, Loaded, Name, Spans, Visit,
        query::{Places, Wanted, chunks},
    },
    key::Key,
    model::Model,
    read::{self, Query, run},
};

/// The number of `_id`s per command of a load. On a local server with two cores, 1,200 to 2,500 were fastest for 5,000
/// ids: two thirds of the time of a single command for all ids.
const IDS: usize = 1_700;

/// Reads the children of a parent, by a single command if the ids fit in a command.
pub(crate) async fn fetch<P, C: Model, T: Item>(
    db: &dyn Executor,
    name: Name,
    parent: &P,
    visit: Visit<P, C>,
    fields: Fields,
) -> Result<Joined<T, C>> {
    let mut places = Places::of(parent, visit)?;
    read_all(db, &mut places, usize::MAX, fields).await?;
    let (slots, order) = places.into_parts();
    Ok(Joined::new(name, slots, order))
}

/// Reads the children of many parents; each child is requested once.
pub(crate) async fn load<'p, P: Model, C: Model, T: Item>(
    db: &dyn Executor,
    name: Name,
    parents: impl IntoIterator<Item = &'p P>,
    visit: Visit<P, C>,
    fields: Fields,
) -> Result<Loaded<P, C, T>> {
    let (mut places, spans) = places_of_all(parents, visit)?;
    read_all(db, &mut places, IDS, fields).await?;
    let (slots, order) = places.into_parts();
    Ok(Loaded::new(name, slots, spans.in_order(order)))
}

/// Counts the children of a parent that exist, each child once.
pub(crate) fn count<'e, P, C: Model>(
    db: &'e dyn Executor,
    parent: &P,
    visit: Visit<P, C>,
) -> BoxFuture<'e, Result<u64>> {
    count_of(db, C::DEFINITION.collection, Wanted::of::<P, C>(parent, visit))
}

fn count_of<'e>(db: &'e dyn Executor, collection: &'static str, wanted: Result<Wanted>) -> BoxFuture<'e, Result<u64>> {
    Box::pin(async move {
        let (context, mut count) = (db.context()?.along().comparing(Texts::Inherited), 0);
        for ids in chunks(wanted?.ids, usize::MAX)? {
            count += context.count(collection, doc! { "_id": { "$in": ids } }, 0, 0).await?;
        }
        Ok(count)
    })
}

/// Returns whether a child of the parent exists.
pub(crate) fn exists<'e, P, C: Model>(
    db: &'e dyn Executor,
    parent: &P,
    visit: Visit<P, C>,
) -> BoxFuture<'e, Result<bool>> {
    exists_of(db, C::DEFINITION.collection, Wanted::of::<P, C>(parent, visit))
}

fn exists_of<'e>(
    db: &'e dyn Executor,
    collection: &'static str,
    wanted: Result<Wanted>,
) -> BoxFuture<'e, Result<bool>> {
    Box::pin(async move {
        let context = db.context()?.along().comparing(Texts::Inherited);
        for ids in chunks(wanted?.ids, usize::MAX)? {
            if by_id(collection, ids, Document::new).exists(&context).await? {
                return Ok(true);
            }
        }
        Ok(false)
    })
}

/// Returns a single query for all children of a parent. The ids fit in a command, because the ids fit in a document.
pub(crate) fn query_of_all<P, C: Model>(parent: &P, visit: Visit<P, C>) -> Result<Query> {
    Ok(by_id(C::DEFINITION.collection, Wanted::of::<P, C>(parent, visit)?.ids, Document::new))
}

/// Returns the first query of [`fetch`].
pub(crate) fn query_of<P, C: Model>(parent: &P, visit: Visit<P, C>, fields: Fields) -> Result<Query> {
    let first = chunks(Wanted::of::<P, C>(parent, visit)?.ids, usize::MAX)?.into_iter().next().unwrap_or_default();
    Ok(by_id(C::DEFINITION.collection, first, fields))
}

fn places_of_all<'p, P: Model, C: Model, T>(
    parents: impl IntoIterator<Item = &'p P>,
    visit: Visit<P, C>,
) -> Result<(Places<T, C>, Spans)> {
    let (mut places, mut spans) = (Places::none(), Spans::default());
    for parent in parents {
        let span = places.add(parent, visit)?;
        spans.mark(Key::of_id(parent.id())?, span);
    }
    Ok((places, spans))
}

/// Reads the wanted children, by commands of at most `count` ids each. A single command decodes each child straight
/// into its place.
async fn read_all<T: Item, C: Model>(
    db: &dyn Executor,
    places: &mut Places<T, C>,
    count: usize,
    fields: Fields,
) -> Result<()> {
    let collection = C::DEFINITION.collection;
    let mut queries = queries(collection, places.take_ids(), count, fields)?;
    if queries.len() == 1 {
        let mut visit = |document: &RawDocument| {
            if let Some(key) = read::key(document) {
                places.put(&key, read::decode(collection, document));
            }
            Ok(ControlFlow::Continue(()))
        };
        return run::each(db, Ok(queries.remove(0)), &mut visit).await;
    }
    let sinks: Vec<Sink<(Key, Result<T>)>> = queries.iter().map(|_| Sink::default()).collect();
    let commands = queries.into_iter().zip(&sinks).map(|(query, sink)| {
        let sink = sink.clone();
        let visit = move |document: &RawDocument| {
            if let Some(key) = read::key(document) {
                sink.add((key, read::decode(collection, document)));
            }
        };
        Command::query(query, visit)
    });
    side_by_side(db, commands.collect()).await?;
    for (key, child) in sinks.into_iter().flat_map(Sink::take) {
        places.put(&key, child);
    }
    Ok(())
}

fn queries(collection: &'static str, ids: Vec<Bson>, count: usize, fields: Fields) -> Result<Vec<Query>> {
    Ok(chunks(ids, count)?.into_iter().map(|ids| by_id(collection, ids, fields)).collect())
}

/// Returns the query for the documents with these `_id`s.
fn by_id(collection: &'static str, ids: Vec<Bson>, fields: Fields) -> Query {
    // A batch of one more than the possible number of documents; otherwise the server keeps the cursor open for an
    // empty reply.
    let batch_size = u32::try_from(ids.len() + 1).unwrap_or(u32::MAX).min(i32::MAX as u32);
    let mut query = Query::new(collection, doc! { "_id": { "$in": ids } });
    query.projection = fields();
    query.batch_size = batch_size;
    query
}

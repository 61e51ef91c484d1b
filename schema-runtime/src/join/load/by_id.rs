//! Children by the `_id`s that their parents hold.

use std::ops::ControlFlow;

use hashbrown::HashMap;
use mongodb::bson::{Bson, Document, doc};

use super::side_by_side::side_by_side;
use crate::{
    error::Result,
    executor::Context,
    join::{
        Fields, Item, Joined, Loaded, Name, Visit,
        query::{Places, Wanted, chunks},
    },
    key::Key,
    model::Model,
    read::{self, Query},
};

/// How many `_id`s one command of a load asks for. On a local server with two cores 1,200 to 2,500 were fastest for 5,000 ids: two
/// thirds of the time of one command for all.
const IDS: usize = 1_700;

/// The children of one parent, by one command where its ids fit in one.
pub(crate) async fn fetch<P, C: Model, T: Item>(
    context: &Context,
    name: Name,
    parent: &P,
    visit: Visit<P, C>,
    fields: Fields,
) -> Result<Joined<T, C>> {
    let (slots, order) = read_all(context, Wanted::of(parent, visit)?, usize::MAX, fields).await?.into_parts();
    Ok(Joined::new(name, slots, order))
}

/// The children of many parents, each asked for once.
pub(crate) async fn load<'p, P: Model, C: Model, T: Item>(
    context: &Context,
    name: Name,
    parents: impl IntoIterator<Item = &'p P>,
    visit: Visit<P, C>,
    fields: Fields,
) -> Result<Loaded<P, C, T>> {
    let (wanted, spans) = wanted_by_all(parents, visit)?;
    let (slots, order) = read_all(context, wanted, IDS, fields).await?.into_parts();
    Ok(Loaded::new(name, slots, order, spans))
}

/// How many of one parent's children exist, each counted once.
pub(crate) async fn count<P, C: Model>(context: &Context, parent: &P, visit: Visit<P, C>) -> Result<u64> {
    let ids = Wanted::<C>::of(parent, visit)?.values()?;
    let mut count = 0;
    for ids in chunks(ids, usize::MAX)? {
        count += context.count(C::DEFINITION.collection, doc! { "_id": { "$in": ids } }, 0, 0).await?;
    }
    Ok(count)
}

/// Whether one of one parent's children exists.
pub(crate) async fn exists<P, C: Model>(context: &Context, parent: &P, visit: Visit<P, C>) -> Result<bool> {
    let ids = Wanted::<C>::of(parent, visit)?.values()?;
    for ids in chunks(ids, usize::MAX)? {
        if by_id(C::DEFINITION.collection, ids, Document::new).exists(context).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// One query for all of one parent's children. Their ids fit: they are in one document.
pub(crate) fn query_of_all<P, C: Model>(parent: &P, visit: Visit<P, C>) -> Result<Query> {
    Ok(by_id(C::DEFINITION.collection, Wanted::<C>::of(parent, visit)?.values()?, Document::new))
}

/// The first query of [`fetch`].
pub(crate) fn query_of<P, C: Model>(parent: &P, visit: Visit<P, C>, fields: Fields) -> Result<Query> {
    let ids = Wanted::<C>::of(parent, visit)?.values()?;
    let first = chunks(ids, usize::MAX)?.into_iter().next().unwrap_or_default();
    Ok(by_id(C::DEFINITION.collection, first, fields))
}

type Spans = HashMap<Key, (usize, usize)>;

fn wanted_by_all<'p, P: Model, C: Model>(
    parents: impl IntoIterator<Item = &'p P>,
    visit: Visit<P, C>,
) -> Result<(Wanted<'p, C>, Spans)> {
    let mut wanted = Wanted::none();
    let mut spans = HashMap::new();
    for parent in parents {
        let span = wanted.add(parent, visit)?;
        spans.insert(Key::of_id(parent.id())?, span);
    }
    Ok((wanted, spans))
}

/// What is wanted, by commands of at most `count` ids each. A single command decodes each child straight into its place.
async fn read_all<T: Item, C: Model>(
    context: &Context,
    wanted: Wanted<'_, C>,
    count: usize,
    fields: Fields,
) -> Result<Places<T, C>> {
    let mut chunks = chunks(wanted.values()?, count)?;
    let mut places = wanted.into_places();
    if chunks.len() == 1 {
        let query = by_id(C::DEFINITION.collection, chunks.remove(0), fields);
        for_each(context, query, |key, child| places.put(&key, child)).await?;
        return Ok(places);
    }
    let commands = chunks.into_iter().map(|ids| {
        let query = by_id(C::DEFINITION.collection, ids, fields);
        read_chunk(context.clone(), query)
    });
    for (key, child) in side_by_side(commands.collect()).await?.into_iter().flatten() {
        places.put(&key, child);
    }
    Ok(places)
}

async fn read_chunk<T: Item>(context: Context, query: Query) -> Result<Vec<(Key, Result<T>)>> {
    let mut children = Vec::with_capacity(query.batch_size as usize);
    for_each(&context, query, |key, child| children.push((key, child))).await?;
    Ok(children)
}

async fn for_each<T: Item>(context: &Context, query: Query, mut put: impl FnMut(Key, Result<T>) + Send) -> Result<()> {
    let collection = query.collection;
    let visit = |document: &_| {
        if let Some(key) = read::key(document) {
            put(key, read::decode(collection, document));
        }
        Ok(ControlFlow::Continue(()))
    };
    query.for_each(context, visit).await
}

/// The query for the documents with these `_id`s.
fn by_id(collection: &'static str, ids: Vec<Bson>, fields: Fields) -> Query {
    // One more than there can be, or the server keeps the cursor for a reply that would be empty.
    let batch_size = u32::try_from(ids.len() + 1).unwrap_or(u32::MAX).min(i32::MAX as u32);
    let mut query = Query::new(collection, doc! { "_id": { "$in": ids } });
    query.projection = fields();
    query.batch_size = batch_size;
    query
}

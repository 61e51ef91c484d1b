//! Moves separate documents into buckets. Each step is one transaction that moves documents: the place of a child says
//! whether the child still has to move. The protocol is `docs/buckets-protocol.md`.

use std::{collections::HashMap, ops::ControlFlow};

use futures_util::future::BoxFuture;
use mongodb::{
    Database,
    bson::{Bson, Document, RawDocumentBuf, doc},
};

use super::{
    layout::{COUNT, Child, FOLLOWED, Layout, PAGE},
    push::{Place, push_to, together},
    step::{Size, not_moved},
    target::{Target, following, target},
};
use crate::{
    codec,
    definition::{Direction, ModelDefinition, find_stored},
    derived::throttle::{Throttle, Throttler},
    error::{Error, Result, server},
    executor::{Context, Executor, in_commands},
    read::Query,
    transaction::transaction,
};

/// Moves all documents of a model into the buckets of another model. Returns the number of moved documents.
pub(super) fn into_buckets<'a>(
    db: &'a Database,
    layout: Layout,
    linked: &'static ModelDefinition,
    throttle: &'a Throttle,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move {
        let context = db.context()?.newest();
        let work = vec![(linked.collection, Document::new())];
        let mut throttler = Throttler::new(&context, work, throttle).await?;
        let (mut moved, mut from, mut size) = (0, None, Size::new(throttle));
        loop {
            let (start, most) = (&from, size.now());
            let step = transaction(db, |transaction| async move {
                step(&transaction.context, &layout, linked, start.as_ref(), most).await
            });
            match step.await {
                Ok(Step { moved: 0, .. }) if from.is_none() => return Ok(moved),
                // Other clients may have inserted before the place.
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
    })
}

/// The number of documents moved by a transaction, and the parent of the last document.
struct Step {
    moved: u64,
    last: Option<Bson>,
}

/// Moves the next children in their order, from the children of `start` on: fills the buckets of each chain one after
/// another.
async fn step(
    context: &Context,
    layout: &Layout,
    linked: &'static ModelDefinition,
    start: Option<&Bson>,
    most: usize,
) -> Result<Step> {
    let documents = next(context, layout, linked, start, most).await?;
    let ids: Vec<Bson> = documents.iter().filter_map(|document| crate::read::id(document)).collect();
    let last = documents.last().and_then(|document| {
        let parent = document.get(layout.bucket.parent.name).ok()??;
        Bson::try_from(parent).ok()
    });
    let only = ids.first().filter(|_| ids.len() == 1).cloned();
    let (moved, collection) = (ids.len() as u64, layout.collection());
    match move_all(context, layout, linked, documents, ids).await {
        Ok(()) => Ok(Step { moved, last }),
        Err(error) => Err(not_moved(collection, only, error)),
    }
}

/// Reads the next documents in the order of the parent, the order field and `_id`: the order of the index of the
/// relation, or the reverse.
async fn next(
    context: &Context,
    layout: &Layout,
    linked: &'static ModelDefinition,
    start: Option<&Bson>,
    most: usize,
) -> Result<Vec<RawDocumentBuf>> {
    let (parent, backwards) = (layout.bucket.parent.name, is_descending(layout, linked));
    let mut filter = Document::new();
    if let Some(start) = start {
        filter.insert(parent, doc! { if backwards { "$lte" } else { "$gte" }: start.clone() });
    }
    let mut query = Query::new(linked.collection, filter);
    query.sort = doc! { parent: if backwards { -1 } else { 1 } };
    query.sort.extend(layout.item_order());
    (query.limit, query.batch_size) = (most as u64, most as u32);
    let (mut documents, mut bytes) = (Vec::new(), 0);
    query
        .for_each(context, |document| {
            bytes += document.as_bytes().len();
            documents.push(document.to_owned());
            Ok(if Size::is_enough(bytes) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
        .await?;
    Ok(documents)
}

/// Returns whether the index of the relation has the children of a parent in descending order.
fn is_descending(layout: &Layout, linked: &'static ModelDefinition) -> bool {
    let field = find_stored(linked.fields, layout.bucket.parent.name);
    let relation = field.and_then(|field| linked.relation(field.rust_name));
    let key = relation.and_then(|relation| relation.order.last());
    key.is_none_or(|key| key.direction == Direction::Descending)
}

async fn move_all(
    context: &Context,
    layout: &Layout,
    linked: &'static ModelDefinition,
    documents: Vec<RawDocumentBuf>,
    ids: Vec<Bson>,
) -> Result<()> {
    if documents.is_empty() {
        return Ok(());
    }
    let chains = chains(layout, documents)?;
    let targets = targets(context, layout, &chains).await?;
    let statements = chains.iter().zip(targets).flat_map(|(children, target)| pushes(layout, children, target));
    for updates in in_commands(statements)? {
        let written = context.update_all(layout.collection(), updates, true).await;
        written.and_then(|written| written.complete()).map_err(|error| server::write(layout.model, error))?;
    }
    let filter = doc! { "_id": { "$in": ids } };
    let deleted = context.delete_many(linked.collection, filter).await;
    deleted.map(drop).map_err(|error| server::write(linked, error))
}

/// Groups the children by chain, each chain in its order.
fn chains(layout: &Layout, documents: Vec<RawDocumentBuf>) -> Result<Vec<Vec<Child>>> {
    let (mut chains, mut places) = (Vec::<Vec<Child>>::new(), HashMap::new());
    for document in documents {
        let child = layout.child(&document)?;
        let place = *places.entry(layout.chain_key(&child.chain)).or_insert(chains.len());
        match chains.get_mut(place) {
            Some(children) => children.push(child),
            None => chains.push(vec![child]),
        }
    }
    Ok(chains)
}

/// Finds the first target page of each chain. A single reply has the last pages of many chains when the chains have few
/// pages.
async fn targets(context: &Context, layout: &Layout, chains: &[Vec<Child>]) -> Result<Vec<Target>> {
    let firsts: Vec<&Child> = chains.iter().filter_map(|children| children.first()).collect();
    let mut found = HashMap::new();
    let limit = 2 * firsts.len();
    let mut is_whole = false;
    if firsts.len() > 1 {
        let mut filter = doc! { COUNT: { "$gt": 0 } };
        let (mut sort, mut projection) = (Document::new(), doc! { "_id": 0, PAGE: 1, COUNT: 1, FOLLOWED: 1 });
        for name in layout.chain_fields() {
            let values: Vec<Bson> = firsts.iter().filter_map(|child| child.chain.get(name).cloned()).collect();
            let values = values.into_iter().map(|value| match value {
                Bson::Document(condition) if condition.contains_key("$eq") => condition.get("$eq").cloned(),
                value => Some(value),
            });
            filter.insert(name, doc! { "$in": values.flatten().collect::<Vec<Bson>>() });
            sort.insert(name, -1);
            projection.insert(name, 1);
        }
        sort.insert(PAGE, -1);
        let mut query = Query::new(layout.collection(), filter);
        (query.sort, query.projection, query.limit) = (sort, projection, limit as u64);
        let last = query.all(context).await?;
        is_whole = last.len() < limit;
        for bucket in last {
            found.entry(layout.chain_key(&bucket)).or_insert(bucket);
        }
    }
    let mut targets = Vec::new();
    for child in firsts {
        targets.push(match found.get(&layout.chain_key(&child.chain)) {
            Some(last) => Target::after(layout, Some(last)),
            None if is_whole => Target::after(layout, None),
            None => target(context, layout, &child.chain).await?,
        });
    }
    Ok(targets)
}

/// Returns the pushes for the children of a chain: as many children as fit into the target, then into each next page.
/// Each page with a later page is marked as followed, also the full page before the target.
fn pushes<'c>(
    layout: &'c Layout,
    children: &'c [Child],
    target: Target,
) -> impl Iterator<Item = Result<RawDocumentBuf>> + 'c {
    let followed = target.full.zip(children.first()).map(|(full, child)| following(&child.chain, full));
    let (mut left, Target { mut page, mut capacity, .. }) = (children, target);
    let pushes = std::iter::from_fn(move || {
        let (chunk, rest) = left.split_at(together(left).min(capacity));
        let fills = chunk.len() == capacity;
        let sent = push_to(layout, chunk, page, Place::Sorted, fills)?;
        left = rest;
        (page, capacity) = match fills {
            true => (page.saturating_add(1), layout.size()),
            false => (page, capacity - chunk.len()),
        };
        Some(sent)
    });
    let sent = followed.into_iter().chain(pushes);
    sent.map(|sent| codec::encode(&sent.into_statement(false)).map_err(Error::encode))
}

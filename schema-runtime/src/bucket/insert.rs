//! Inserts into buckets: the last page of a chain that has children is read, and they are pushed to it, or to the next one. The protocol
//! is `docs/buckets-protocol.md`.

use std::{cmp::Ordering, collections::VecDeque};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use super::{
    layout::{COUNT, Child, EMPTIED, FIRST, ITEM_ID, ITEMS, LAST, Layout, PAGE},
    order::compare,
};
use crate::{
    document::count,
    error::{Error, Result, server},
    executor::{Attempts, Context, Executor, Sent},
    read::Query,
};

/// Inserts one child.
pub(super) fn insert<'a>(
    db: &'a dyn Executor,
    layout: Layout,
    document: Result<RawDocumentBuf>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let child = layout.child(&document?)?;
        let context = db.context()?.newest();
        push_all(&context, &layout, &mut VecDeque::from([child]), &mut |_| {}).await
    })
}

/// Inserts children, those of each chain in their order.
pub(super) fn insert_many<'a>(
    db: &'a dyn Executor,
    layout: Layout,
    documents: Result<Vec<RawDocumentBuf>>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let context = db.context()?.newest();
        let mut chains: Vec<(Document, VecDeque<Child>, VecDeque<usize>)> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for (at, document) in documents?.into_iter().enumerate() {
            let child = layout.child(&document)?;
            let place = *places.entry(child.chain.to_string()).or_insert(chains.len());
            if place == chains.len() {
                chains.push((child.chain.clone(), VecDeque::new(), VecDeque::new()));
            }
            chains[place].1.push_back(child);
            chains[place].2.push_back(at);
        }
        let mut inserted = 0;
        for (_, mut children, mut positions) in chains {
            let mut pushed = |count: usize| {
                inserted += count;
                positions.drain(..count);
            };
            let result = push_all(&context, &layout, &mut children, &mut pushed).await;
            result.map_err(|error| {
                let refused = position_of(&children, &error);
                let index = refused.and_then(|refused| positions.get(refused).copied());
                Error::InsertMany { collection: layout.collection(), inserted, index, source: Box::new(error) }
            })?;
        }
        Ok(())
    })
}

/// Which of the children an error is of, if it is of one: the first that has the key of another one.
fn position_of(children: &VecDeque<Child>, error: &Error) -> Option<usize> {
    match error {
        Error::DuplicateKey { key, .. } => children.iter().position(|child| key_of(&child.id) == *key),
        _ if children.len() == 1 => Some(0),
        _ => None,
    }
}

/// Where children are to be pushed.
pub(super) struct Target {
    pub(super) page: i64,
    /// How many of them fit.
    pub(super) capacity: usize,
    /// The bound of those that are there, where they have an order.
    last: Option<Bson>,
}

impl Target {
    /// By the last page that has children, where there is one: that, or the next one where it is full.
    pub(super) fn after(layout: &Layout, last: Option<&Document>) -> Self {
        let (page, children) = last.map_or((0, u64::MAX), |last| {
            let page = i64::try_from(count(last.get(PAGE))).unwrap_or(i64::MAX);
            (page, count(last.get(COUNT)))
        });
        match layout.bucket.size.checked_sub(children) {
            None | Some(0) => Target { page: page.saturating_add(1), capacity: layout.size(), last: None },
            Some(left) => {
                let capacity = usize::try_from(left).unwrap_or(usize::MAX);
                Target { page, capacity, last: last.and_then(|last| last.get(LAST).cloned()) }
            }
        }
    }

    /// Whether these children come behind all that are there, and each behind the one before it.
    fn is_before(&self, children: &[Child]) -> bool {
        let Some(mut last) = self.last.as_ref() else { return false };
        children.iter().all(|child| {
            let is_behind = child.order.as_ref().is_some_and(|order| compare(last, order).is_some_and(Ordering::is_lt));
            last = child.order.as_ref().unwrap_or(last);
            is_behind
        })
    }
}

/// How children are put among those that are in their bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Where the order has them: the server sorts all of them.
    Sorted,
    /// Behind the last one, if they come behind it yet. What arrives in order does, and then the others are not written anew, nor to the oplog.
    Behind,
}

/// Pushes the children of one chain in their order, as many at once as a bucket has capacity for; says how many after each push.
async fn push_all(
    context: &Context,
    layout: &Layout,
    children: &mut VecDeque<Child>,
    pushed: &mut (dyn FnMut(usize) + Send),
) -> Result<()> {
    let mut attempts = Attempts::default();
    while let Some(first) = children.front() {
        let target = target(context, layout, &first.chain).await?;
        let many = children.len().min(target.capacity);
        children.make_contiguous();
        let chunk = &children.as_slices().0[..many];
        let place = if target.is_before(chunk) { Place::Behind } else { Place::Sorted };
        match push(context, layout, chunk, target.page, place).await {
            Ok(()) => {
                children.drain(..many);
                pushed(many);
                attempts = Attempts::default();
            }
            // The page is full by now, or another client has made it, or a child is in some bucket.
            Err(error @ Error::DuplicateKey { .. }) => {
                // The server has ended the transaction; what was read in it is as it was written.
                if context.in_transaction() {
                    return Err(duplicate(layout, chunk.first().filter(|_| many == 1)).unwrap_or(error));
                }
                if let Some(child) = one_that_is_there(context, layout, chunk).await? {
                    return Err(duplicate(layout, Some(child)).unwrap_or(error));
                }
                attempts.again().await?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The last page that has children, if it has capacity for more; otherwise the next one.
pub(super) async fn target(context: &Context, layout: &Layout, chain: &Document) -> Result<Target> {
    let mut filter = chain.clone();
    filter.insert(COUNT, doc! { "$gt": 0 });
    let mut query = Query::new(layout.collection(), filter);
    (query.sort, query.projection, query.limit) = (doc! { PAGE: -1 }, doc! { "_id": 0, PAGE: 1, COUNT: 1, LAST: 1 }, 1);
    let last = query.all(context).await?.pop();
    Ok(Target::after(layout, last.as_ref()))
}

/// Pushes children to a page, which it makes where it is not there.
///
/// # Errors
/// [`Error::DuplicateKey`] when they do not fit, when they do not come behind the others though they should, or when one of them is in some bucket.
pub(super) async fn push(
    context: &Context,
    layout: &Layout,
    children: &[Child],
    page: i64,
    place: Place,
) -> Result<()> {
    let Some(sent) = push_to(layout, children, page, place) else { return Ok(()) };
    let sent = context.update_one(layout.collection(), sent).await;
    sent.map(drop).map_err(|error| server::write(layout.model, error))
}

/// The same before it is sent.
pub(super) fn push_to(layout: &Layout, children: &[Child], page: i64, place: Place) -> Option<Sent> {
    let many = i64::try_from(children.len()).unwrap_or(i64::MAX);
    let most = i64::try_from(layout.bucket.size).unwrap_or(i64::MAX).saturating_sub(many);
    let ids: Vec<&Bson> = children.iter().map(|child| &child.id).collect();
    let mut filter = children.first()?.chain.clone();
    filter.insert(PAGE, page);
    filter.insert(COUNT, doc! { "$lte": most });
    filter.insert(ITEM_ID, doc! { "$nin": ids });
    if let (Place::Behind, Some(order)) = (place, children.first()?.order.as_ref()) {
        filter.insert(LAST, doc! { "$lt": order });
    }
    Some(Sent { filter, update: pushing(layout, children, place), upsert: true, ..Sent::default() })
}

/// The update that adds children to a bucket.
fn pushing(layout: &Layout, children: &[Child], place: Place) -> Document {
    let items: Vec<&Document> = children.iter().map(|child| &child.item).collect();
    let many = i32::try_from(children.len()).unwrap_or(i32::MAX);
    let mut added = doc! { "$each": items };
    if place == Place::Sorted {
        added.insert("$sort", layout.item_order());
    }
    let mut update = doc! {
        "$push": { ITEMS: added },
        "$inc": { COUNT: many },
        "$unset": { EMPTIED: "" },
    };
    if let Some((least, greatest)) = bounds(children) {
        update.insert("$min", doc! { FIRST: least });
        update.insert("$max", doc! { LAST: greatest });
    }
    update
}

/// The least and the greatest value of the order field.
fn bounds(children: &[Child]) -> Option<(Bson, Bson)> {
    let mut values = children.iter().filter_map(|child| child.order.as_ref());
    let first = values.next()?;
    let (mut least, mut greatest) = (first, first);
    for value in values {
        if compare(value, least).is_some_and(Ordering::is_lt) {
            least = value;
        }
        if compare(value, greatest).is_some_and(Ordering::is_gt) {
            greatest = value;
        }
    }
    Some((least.clone(), greatest.clone()))
}

/// The first of these children that is in some bucket.
async fn one_that_is_there<'c>(context: &Context, layout: &Layout, children: &'c [Child]) -> Result<Option<&'c Child>> {
    for child in children {
        if is_there(context, layout, &child.id).await? {
            return Ok(Some(child));
        }
    }
    Ok(None)
}

/// Whether a child is in some bucket.
pub(super) async fn is_there(context: &Context, layout: &Layout, id: &Bson) -> Result<bool> {
    let query = Query::new(layout.collection(), crate::field::equal(ITEM_ID.to_owned(), id.clone()));
    Ok(query.first_id(context).await?.is_some())
}

fn duplicate(layout: &Layout, child: Option<&Child>) -> Option<Error> {
    let key = key_of(&child?.id);
    Some(Error::DuplicateKey { collection: layout.collection().to_owned(), index: format!("{ITEM_ID}_1"), key })
}

/// A key as the server writes it.
fn key_of(id: &Bson) -> String {
    format!("{{ {ITEM_ID}: {id} }}")
}

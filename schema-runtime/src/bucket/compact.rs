//! Compact: children of later pages fill earlier pages, and empty pages at the end are deleted. Each pour is one
//! transaction. The protocol is `docs/buckets-protocol.md`.

use std::{fmt, ops::ControlFlow};

use futures_util::future::BoxFuture;
use mongodb::{
    Database,
    bson::{Bson, DateTime, Document, RawDocument, doc},
};

use super::{
    layout::{COUNT, Child, EMPTIED, ITEMS, Layout, PAGE},
    push::{Place, push, together},
};
use crate::{
    codec,
    error::{Error, Result, server},
    executor::{Context, Executor, UpdateRequest},
    read::Query,
    report::counted,
    transaction::transaction_of,
};

/// The time that a page stays empty before its delete, in milliseconds: longer than any client takes from the read of a
/// page to the write after the read.
const EMPTY_FOR: i64 = 60 * 60 * 1_000;

/// The result of [`compact`](super::Bucketed::compact).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compacted {
    /// The number of children moved to an earlier bucket.
    pub moved: u64,
    /// The number of empty buckets marked as empty: the next compact deletes a marked bucket after an hour.
    pub marked: u64,
    /// The number of deleted buckets; each was empty for an hour.
    pub trimmed: u64,
}

impl Compacted {
    fn add(&mut self, more: Compacted) {
        self.moved += more.moved;
        self.marked += more.marked;
        self.trimmed += more.trimmed;
    }
}

impl fmt::Display for Compacted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moved = counted(self.moved, "child", "children");
        let marked = counted(self.marked, "empty bucket", "empty buckets");
        write!(formatter, "{moved} moved, {marked} marked, {} deleted", self.trimmed)
    }
}

/// Compacts every chain of a parent separately. With buckets by time and a given time, only the chain of the time.
pub(super) fn compact<'a>(
    db: &'a Database,
    layout: Layout,
    parent: Result<Bson>,
    time: Option<DateTime>,
) -> BoxFuture<'a, Result<Compacted>> {
    Box::pin(async move {
        let (parent, context) = (parent?, db.context()?.newest());
        let Some((span, _)) = layout.bucket.by else {
            return chain(&context, &layout, &layout.of_parent(parent)).await;
        };
        if let Some(time) = time {
            return chain(&context, &layout, &layout.chain(parent, time)).await;
        }
        let (mut all, mut last) = (Compacted::default(), None);
        while let Some(time) = next_span(&context, &layout, &parent, span.word(), last).await? {
            all.add(chain(&context, &layout, &layout.chain(parent.clone(), time)).await?);
            last = Some(time);
        }
        Ok(all)
    })
}

/// Returns the first day or hour after `last` with buckets of the parent; `None` when no later span has buckets.
async fn next_span(
    context: &Context,
    layout: &Layout,
    parent: &Bson,
    span: &'static str,
    last: Option<DateTime>,
) -> Result<Option<DateTime>> {
    let mut filter = layout.of_parent(parent.clone());
    filter.insert(span, last.map_or_else(|| doc! { "$type": "date" }, |last| doc! { "$gt": last }));
    let mut query = Query::new(layout.collection(), filter);
    (query.sort, query.projection, query.limit) = (doc! { span: 1, PAGE: 1 }, doc! { span: 1 }, 1);
    let next = query.all(context).await?.pop();
    Ok(next.and_then(|next| next.get_datetime(span).ok().copied()))
}

/// Compacts one chain.
async fn chain(context: &Context, layout: &Layout, chain: &Document) -> Result<Compacted> {
    let mut done = Compacted::default();
    let empty = pour_all(context, layout, chain, &mut done.moved).await?;
    for page in empty {
        done.marked += mark(context, layout, chain, page).await?;
    }
    while let Some(page) = last_page(context, layout, chain).await? {
        if trim(context, layout, chain, page).await? == 0 {
            break;
        }
        done.trimmed += 1;
    }
    Ok(done)
}

/// A page with capacity, and the next page that has children.
struct Pair {
    to: i64,
    from: i64,
    /// The number of children of `from` that fit in `to`.
    many: usize,
}

/// The state of the pages from a page on.
enum Seen {
    Pair(Pair),
    /// The empty pages without a mark.
    Compact(Vec<i64>),
}

/// Pours children until no page with capacity has children after the page: page after page, then once more from the
/// first page, because other clients write too. Returns the empty pages that have no mark then.
async fn pour_all(context: &Context, layout: &Layout, chain: &Document, moved: &mut u64) -> Result<Vec<i64>> {
    let mut start = 1;
    loop {
        let pair = match look(context, layout, chain, start).await? {
            Seen::Pair(pair) => pair,
            Seen::Compact(empty) if start == 1 => return Ok(empty),
            Seen::Compact(_) => {
                start = 1;
                continue;
            }
        };
        start = pair.to;
        let poured = transaction_of(context, |transaction| async move {
            match look(&transaction.context, layout, chain, start).await? {
                Seen::Pair(pair) => pour(&transaction.context, layout, chain, &pair).await,
                Seen::Compact(_) => Ok(0),
            }
        });
        *moved += poured.await?;
    }
}

/// Finds the first page from `start` on that is not full, and the next page that has children. A missing page counts as
/// empty. Reads only the numbers of pages, in the order of the index.
async fn look(context: &Context, layout: &Layout, chain: &Document, start: i64) -> Result<Seen> {
    let mut filter = chain.clone();
    filter.insert(PAGE, doc! { "$gte": start });
    let mut query = Query::new(layout.collection(), filter);
    (query.sort, query.projection) = (doc! { PAGE: 1 }, doc! { "_id": 0, PAGE: 1, COUNT: 1, EMPTIED: 1 });
    let (mut expected, mut to, mut pair, mut empty) = (start, None, None, Vec::new());
    query
        .for_each(context, |bucket| {
            let (page, count) = numbers(layout, bucket)?;
            if page != expected {
                to.get_or_insert((expected, layout.size()));
            }
            expected = page.saturating_add(1);
            if let Some((to, capacity)) = to.filter(|_| count > 0) {
                pair = Some(Pair { to, from: page, many: count.min(capacity) });
                return Ok(ControlFlow::Break(()));
            }
            match layout.size().checked_sub(count) {
                None | Some(0) => {}
                Some(capacity) => drop(to.get_or_insert((page, capacity))),
            }
            if count == 0 && !has_mark(bucket) {
                empty.push(page);
            }
            Ok(ControlFlow::Continue(()))
        })
        .await?;
    Ok(pair.map_or(Seen::Compact(empty), Seen::Pair))
}

fn numbers(layout: &Layout, bucket: &RawDocument) -> Result<(i64, usize)> {
    let number = |name| codec::integer(bucket, name);
    let pair = number(PAGE).zip(number(COUNT).and_then(|count| usize::try_from(count).ok()));
    pair.ok_or_else(|| Error::encode(format!("a document of `{}` is no bucket", layout.collection())))
}

fn has_mark(bucket: &RawDocument) -> bool {
    matches!(bucket.get(EMPTIED), Ok(Some(_)))
}

/// Moves the first children of the later page to the earlier page. Returns the number of moved children. Pulls the
/// children first, because the unique index allows no child twice.
async fn pour(context: &Context, layout: &Layout, chain: &Document, pair: &Pair) -> Result<u64> {
    let mut query = Query::new(layout.collection(), page_of(chain, pair.from));
    // A number of the type that inserts store.
    let many = i32::try_from(pair.many).unwrap_or(i32::MAX);
    query.projection = doc! { "_id": 0, ITEMS: { "$slice": many } };
    let bucket = query.all(context).await?.pop().unwrap_or_default();
    let items = bucket.get_array(ITEMS).map(Vec::as_slice).unwrap_or_default();
    let children = items.iter().filter_map(Bson::as_document).filter_map(|item| {
        let order = layout.bucket.order.and_then(|order| item.get(order.name).cloned());
        Some(Child { id: item.get("_id")?.clone(), chain: chain.clone(), order, item: item.clone() })
    });
    let children: Vec<Child> = children.collect();
    if children.len() != pair.many {
        let message =
            format!("`count` of a bucket of `{}` is wrong: `Schema::repair` corrects the count", layout.collection());
        return Err(Error::Update { message });
    }
    let children = &children[..together(&children)];
    let many = i32::try_from(children.len()).unwrap_or(i32::MAX);
    let ids: Vec<&Bson> = children.iter().map(|child| &child.id).collect();
    let update = doc! { "$pull": { ITEMS: { "_id": { "$in": ids } } }, "$inc": { COUNT: -many } };
    let sent = UpdateRequest { filter: page_of(chain, pair.from), update, ..UpdateRequest::default() };
    let pulled = context.update_one(layout.collection(), sent).await;
    pulled.map_err(|error| server::write(layout.model, error))?;
    push(context, layout, children, pair.to, Place::Sorted, true).await?;
    Ok(children.len() as u64)
}

fn page_of(chain: &Document, page: i64) -> Document {
    let mut filter = chain.clone();
    filter.insert(PAGE, page);
    filter
}

/// Marks an empty page that has no mark, with the time of the server.
async fn mark(context: &Context, layout: &Layout, chain: &Document, page: i64) -> Result<u64> {
    let mut filter = page_of(chain, page);
    filter.extend(doc! { COUNT: 0, EMPTIED: { "$exists": false } });
    let sent = UpdateRequest { filter, update: doc! { "$currentDate": { EMPTIED: true } }, ..UpdateRequest::default() };
    let marked = context.update_one(layout.collection(), sent).await;
    Ok(marked.map_err(|error| server::write(layout.model, error))?.modified_count)
}

/// Returns the last page of a chain if the page is empty; `None` when the last page has children.
async fn last_page(context: &Context, layout: &Layout, chain: &Document) -> Result<Option<i64>> {
    let mut query = Query::new(layout.collection(), chain.clone());
    (query.sort, query.projection) = (doc! { PAGE: -1 }, doc! { "_id": 0, PAGE: 1, COUNT: 1 });
    let last = query.first(context).await?;
    // A last page with children is not trimmed.
    let is_empty = |last: &RawDocument| codec::integer(last, COUNT) == Some(0);
    Ok(last.filter(|last| is_empty(last)).and_then(|last| codec::integer(&last, PAGE)))
}

/// Deletes a page that has been empty for long enough, by the clock of the server.
async fn trim(context: &Context, layout: &Layout, chain: &Document, page: i64) -> Result<u64> {
    let mut filter = page_of(chain, page);
    let before = doc! { "$subtract": ["$$NOW", EMPTY_FOR] };
    let is_old = doc! { "$lte": [format!("${EMPTIED}"), before] };
    filter.extend(doc! { COUNT: 0, EMPTIED: { "$type": "date" }, "$expr": is_old });
    let deleted = context.delete_one(layout.collection(), filter).await;
    deleted.map_err(|error| server::write(layout.model, error))
}

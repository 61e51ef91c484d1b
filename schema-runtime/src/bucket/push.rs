//! The command that puts children into a bucket. Reaches the server.

use std::{cmp::Ordering, collections::HashSet};

use mongodb::bson::{Bson, Document, doc};

use super::{
    layout::{COUNT, Child, EMPTIED, FIRST, FOLLOWED, ITEM_ID, ITEMS, LAST, Layout, PAGE},
    order::compare,
};
use crate::{
    error::{Result, server},
    executor::{Context, Sent},
    key::Key,
};

/// How children are put among those that are in their bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Where the order has them: the server sorts all of them.
    Sorted,
    /// Behind the last one, if they come behind it yet. What arrives in order does, and then the others are not written anew, nor to the oplog.
    Behind,
}

/// Pushes children to a page, which it makes where it is not there. `follows`: as [`push_to`].
///
/// # Errors
/// [`Error::DuplicateKey`](crate::Error::DuplicateKey) when they do not fit, when they do not come behind the others though they should, or when one of
/// them is in some bucket.
pub(super) async fn push(
    context: &Context,
    layout: &Layout,
    children: &[Child],
    page: i64,
    place: Place,
    follows: bool,
) -> Result<()> {
    send(context, layout, push_to(layout, children, page, place, follows)).await.map(drop)
}

/// Pushes a child to a page that was not read: whether there is such a page with children and capacity, followed by none.
///
/// # Errors
/// [`Error::DuplicateKey`](crate::Error::DuplicateKey) when the child is in some other bucket.
pub(super) async fn push_open(context: &Context, layout: &Layout, child: &Child, page: i64) -> Result<bool> {
    let place = if child.order.is_some() { Place::Behind } else { Place::Sorted };
    let sent = push_to(layout, std::slice::from_ref(child), page, place, false);
    let sent = sent.map(|mut sent| {
        // It has children, as the one that a read would find: so it is not marked as empty, and what comes behind them does not come before them.
        let most = layout.bucket.size.saturating_sub(1);
        sent.filter.insert(COUNT, doc! { "$gt": 0, "$lte": i64::try_from(most).unwrap_or(i64::MAX) });
        sent.filter.insert(FOLLOWED, doc! { "$exists": false });
        sent.update.remove("$unset");
        if place == Place::Behind {
            sent.update.remove("$min");
        }
        Sent { upsert: false, ..sent }
    });
    Ok(send(context, layout, sent).await? > 0)
}

/// How many buckets matched.
async fn send(context: &Context, layout: &Layout, sent: Option<Sent>) -> Result<u64> {
    let Some(sent) = sent else { return Ok(0) };
    let sent = context.update_one(layout.collection(), sent).await;
    sent.map(|updated| updated.matched_count).map_err(|error| server::write(layout.model, error))
}

/// How many of the first of these children one push may take, at least one if there is one: no two have one `_id`, which the index would not see inside of a bucket, and it is known
/// here which of them comes first.
pub(super) fn together(children: &[Child]) -> usize {
    let (mut ids, first) = (HashSet::new(), children.first().and_then(|child| child.order.as_ref()));
    let is_known = |child: &Child| match (first, child.order.as_ref()) {
        (Some(first), Some(order)) => compare(first, order).is_some(),
        (None, None) => true,
        _ => false,
    };
    children
        .iter()
        .take_while(|child| ids.insert(Key::of(&child.id)) && is_known(child))
        .count()
        .max(1)
        .min(children.len())
}

/// A push of children of one chain, as an upsert. `follows`: the page is taken for full then, or a later one has children.
pub(super) fn push_to(layout: &Layout, children: &[Child], page: i64, place: Place, follows: bool) -> Option<Sent> {
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
    let mut update = pushing(layout, children, place);
    if follows {
        update.insert("$set", doc! { FOLLOWED: true });
    }
    Some(Sent { filter, update, upsert: true, ..Sent::default() })
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

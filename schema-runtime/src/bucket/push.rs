//! The command that puts children into a bucket. Reaches the server.

use std::{cmp::Ordering, collections::HashSet};

use mongodb::bson::{Bson, Document, doc};

use super::{
    layout::{COUNT, Child, EMPTIED, FIRST, FOLLOWED, ITEM_ID, ITEMS, LAST, Layout, PAGE},
    order::compare,
};
use crate::{
    error::{Result, server},
    executor::{Context, UpdateRequest},
    key::Key,
};

/// The place of new children among the stored children of the bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The place by the order field: the server sorts all children.
    Sorted,
    /// The place after the last child, if the new children still come after the last child. Children that arrive in
    /// order do, and the server then writes the other children neither to the bucket nor to the oplog again.
    Behind,
}

/// Pushes children to a page; makes a missing page. `follows`: as [`push_to`].
///
/// # Errors
/// [`Error::DuplicateKey`](crate::Error::DuplicateKey) when the children do not fit, when `place` is `Behind` and the
/// children do not come after the stored children, or when some bucket has one of the children.
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

/// Pushes a child to a page without a read. Returns whether such a page exists with children and capacity, and without
/// a later page.
///
/// # Errors
/// [`Error::DuplicateKey`](crate::Error::DuplicateKey) when the child is in another bucket.
pub(super) async fn push_open(context: &Context, layout: &Layout, child: &Child, page: i64) -> Result<bool> {
    let place = if child.order.is_some() { Place::Behind } else { Place::Sorted };
    let sent = push_to(layout, std::slice::from_ref(child), page, place, false);
    let sent = sent.map(|mut sent| {
        // The page must have children, like a page found by a read: a page with children is not marked as empty, and
        // the new child comes after all earlier children.
        let most = layout.bucket.size.saturating_sub(1);
        sent.filter.insert(COUNT, doc! { "$gt": 0, "$lte": i64::try_from(most).unwrap_or(i64::MAX) });
        sent.filter.insert(FOLLOWED, doc! { "$exists": false });
        sent.update.remove("$unset");
        if place == Place::Behind {
            sent.update.remove("$min");
        }
        UpdateRequest { upsert: false, ..sent }
    });
    Ok(send(context, layout, sent).await? > 0)
}

/// Sends the update. Returns the number of matched buckets.
async fn send(context: &Context, layout: &Layout, sent: Option<UpdateRequest>) -> Result<u64> {
    let Some(sent) = sent else { return Ok(0) };
    let sent = context.update_one(layout.collection(), sent).await;
    sent.map(|updated| updated.matched_count).map_err(|error| server::write(layout.model, error))
}

/// Returns the number of leading children that one push may take, at least one if `children` is not empty. No two
/// children of a push have the same `_id`, because the index does not see a duplicate inside a bucket. The order of all
/// children with the first child must be known here.
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

/// Makes the push of children of one chain, as an upsert. `follows`: the page counts as full after the push, or a later
/// page has children.
pub(super) fn push_to(
    layout: &Layout,
    children: &[Child],
    page: i64,
    place: Place,
    follows: bool,
) -> Option<UpdateRequest> {
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
    Some(UpdateRequest { filter, update, upsert: true, ..UpdateRequest::default() })
}

/// Makes the update that adds children to a bucket.
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

/// Returns the least and the greatest value of the order field.
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

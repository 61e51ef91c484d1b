//! Where children are to be pushed: the last page of their chain that has any, or the next one. Reaches the server.

use std::cmp::Ordering;

use mongodb::bson::{Bson, Document, doc};

use super::{
    layout::{COUNT, Child, FOLLOWED, LAST, Layout, PAGE},
    open::Open,
    order::{compare, is_nan},
    push::Place,
};
use crate::{
    document::count,
    error::{Error, Result, server},
    executor::{Context, Sent},
    read::Query,
};

/// Where children are to be pushed.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) page: i64,
    /// How many of them fit.
    pub(super) capacity: usize,
    /// The bound of those that are there, where they have an order.
    last: Option<Bson>,
    /// Whether it says that a later page was begun.
    is_followed: bool,
    /// The full page before it, where that does not say so yet.
    pub(super) full: Option<i64>,
}

impl Target {
    /// By the last page that has children, where there is one: that, or the next one where it is full.
    pub(super) fn after(layout: &Layout, last: Option<&Document>) -> Self {
        let new = |page, full| Target { page, capacity: layout.size(), last: None, is_followed: false, full };
        let Some(last) = last else { return new(1, None) };
        let (page, children) = (i64::try_from(count(last.get(PAGE))).unwrap_or(i64::MAX), count(last.get(COUNT)));
        let is_followed = last.contains_key(FOLLOWED);
        match layout.bucket.size.checked_sub(children) {
            None | Some(0) => new(page.saturating_add(1), Some(page).filter(|_| !is_followed)),
            Some(left) => {
                let capacity = usize::try_from(left).unwrap_or(usize::MAX);
                Target { page, capacity, last: last.get(LAST).cloned(), is_followed, full: None }
            }
        }
    }

    /// How these children are to be put there.
    pub(super) fn place(&self, children: &[Child]) -> Place {
        if is_before(self.last.as_ref(), children) { Place::Behind } else { Place::Sorted }
    }

    /// What is known of it when these children are there.
    pub(super) fn with(&self, children: &[Child]) -> Option<Open> {
        let orders = self.last.iter().chain(children.iter().filter_map(|child| child.order.as_ref()));
        let greatest =
            orders.reduce(|one, other| if compare(one, other) == Some(Ordering::Less) { other } else { one });
        let capacity = self.capacity.saturating_sub(children.len());
        (!self.is_followed).then(|| Open { page: self.page, capacity, last: greatest.cloned() })
    }
}

/// Whether these children come behind this value of the order field, and each behind the one before it, so that a filter finds it so.
pub(super) fn is_before(last: Option<&Bson>, children: &[Child]) -> bool {
    let Some(mut last) = last else { return false };
    children.iter().all(|child| {
        let Some(order) = child.order.as_ref() else { return false };
        let is_behind = compare(last, order) == Some(Ordering::Less) && !is_nan(last);
        last = order;
        is_behind
    })
}

/// What is read of the last page.
fn projection() -> Document {
    doc! { "_id": 0, PAGE: 1, COUNT: 1, LAST: 1, FOLLOWED: 1 }
}

/// The last page that has children, if it has capacity for more; otherwise the next one.
pub(super) async fn target(context: &Context, layout: &Layout, chain: &Document) -> Result<Target> {
    let mut filter = chain.clone();
    filter.insert(COUNT, doc! { "$gt": 0 });
    let mut query = Query::new(layout.collection(), filter);
    (query.sort, query.projection, query.limit) = (doc! { PAGE: -1 }, projection(), 1);
    let last = query.all(context).await?.pop();
    Ok(Target::after(layout, last.as_ref()))
}

/// The update of a full page, before the next one begins.
pub(super) fn following(chain: &Document, full: i64) -> Sent {
    let mut filter = chain.clone();
    filter.insert(PAGE, full);
    Sent { filter, update: doc! { "$set": { FOLLOWED: true } }, ..Sent::default() }
}

/// Sends it. A page that the validator refuses, as one with a wrong count, or one that was there before a rule of today, is written past it; where the user may not do
/// that it stays as it is, since nobody could insert behind it for ever.
pub(super) async fn follow(context: &Context, layout: &Layout, chain: &Document, full: i64) -> Result<()> {
    for is_unchecked in [false, true] {
        let sent = Sent { is_unchecked, ..following(chain, full) };
        let followed = context.update_one(layout.collection(), sent).await;
        match followed.map_err(|error| server::write(layout.model, error)) {
            Ok(_) => break,
            Err(error) if error.is_refusal() && !context.in_transaction() => {}
            Err(Error::NotAuthorized { .. }) if is_unchecked => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

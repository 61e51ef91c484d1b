//! The target of a push: the last page of the chain that has children, or the next page. Reaches the server.

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
    executor::{Context, UpdateRequest},
    read::Query,
};

/// The target of a push.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) page: i64,
    /// The number of children that fit.
    pub(super) capacity: usize,
    /// The greatest order value of the stored children, if the children have an order.
    last: Option<Bson>,
    /// Set when the page is marked as followed by a later page.
    is_followed: bool,
    /// The full page before the target, if the full page is not yet marked as followed.
    pub(super) full: Option<i64>,
}

impl Target {
    /// Returns the target after the last page that has children: the last page itself, or the next page if the last
    /// page is full.
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

    /// Returns the place of the children in the target page.
    pub(super) fn place(&self, children: &[Child]) -> Place {
        if is_before(self.last.as_ref(), children) { Place::Behind } else { Place::Sorted }
    }

    /// Returns the open page after a push of the children; `None` when a later page exists.
    pub(super) fn with(&self, children: &[Child]) -> Option<Open> {
        let orders = self.last.iter().chain(children.iter().filter_map(|child| child.order.as_ref()));
        let greatest =
            orders.reduce(|one, other| if compare(one, other) == Some(Ordering::Less) { other } else { one });
        let capacity = self.capacity.saturating_sub(children.len());
        (!self.is_followed).then(|| Open { page: self.page, capacity, last: greatest.cloned() })
    }
}

/// Returns whether the children come after this value of the order field, and each child after the child before, so
/// that a filter finds the same order.
pub(super) fn is_before(last: Option<&Bson>, children: &[Child]) -> bool {
    let Some(mut last) = last else { return false };
    children.iter().all(|child| {
        let Some(order) = child.order.as_ref() else { return false };
        let is_behind = compare(last, order) == Some(Ordering::Less) && !is_nan(last);
        last = order;
        is_behind
    })
}

/// Returns the projection of the last page.
fn projection() -> Document {
    doc! { "_id": 0, PAGE: 1, COUNT: 1, LAST: 1, FOLLOWED: 1 }
}

/// Returns the last page that has children, if the page has capacity; otherwise the next page.
pub(super) async fn target(context: &Context, layout: &Layout, chain: &Document) -> Result<Target> {
    let mut filter = chain.clone();
    filter.insert(COUNT, doc! { "$gt": 0 });
    let mut query = Query::new(layout.collection(), filter);
    (query.sort, query.projection, query.limit) = (doc! { PAGE: -1 }, projection(), 1);
    let last = query.all(context).await?.pop();
    Ok(Target::after(layout, last.as_ref()))
}

/// Makes the update that marks a full page, before the next page begins.
pub(super) fn following(chain: &Document, full: i64) -> UpdateRequest {
    let mut filter = chain.clone();
    filter.insert(PAGE, full);
    UpdateRequest { filter, update: doc! { "$set": { FOLLOWED: true } }, ..UpdateRequest::default() }
}

/// Sends the mark of a full page. When the validator refuses the page, for example for a wrong count or because the
/// page is older than a rule of today, a second update bypasses the validator. When the user may not bypass the
/// validator, the page stays unmarked, because otherwise no client could ever insert after the page.
pub(super) async fn follow(context: &Context, layout: &Layout, chain: &Document, full: i64) -> Result<()> {
    for is_unchecked in [false, true] {
        let sent = UpdateRequest { is_unchecked, ..following(chain, full) };
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

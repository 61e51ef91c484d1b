//! The page of a chain that this process takes as open: the target of the last insert. A remembered page may be wrong
//! or of another server: the filter of the push decides. Reaches no server.

use std::{
    num::NonZeroUsize,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

use lru::LruCache;
use mongodb::bson::{Bson, Document};

use super::layout::{Child, Layout};
use crate::{executor::Context, key::Key};

/// The number of remembered chains, the last written chains: some hundred bytes each.
const MOST: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();

/// A database, a collection and a chain.
type Place = (String, &'static str, Vec<Key>);

static OPEN: LazyLock<Mutex<LruCache<Place, Open>>> = LazyLock::new(|| Mutex::new(LruCache::new(MOST)));

/// A page that had capacity and no later page.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) page: i64,
    /// The number of children that still fitted in the page.
    pub(super) capacity: usize,
    /// The greatest value of the order field, if the children have an order.
    pub(super) last: Option<Bson>,
}

/// Returns the remembered page of the chain of the child; `None` when no page is remembered.
pub(super) fn remembered(context: &Context, layout: &Layout, child: &Child) -> Option<Open> {
    all().get(&place(context, layout, &child.chain)).cloned()
}

/// Replaces the remembered page of a chain; `None` forgets the page. Does nothing in a transaction, because nothing is
/// known until the commit.
pub(super) fn remember(context: &Context, layout: &Layout, chain: &Document, open: Option<Open>) {
    if context.in_transaction() {
        return;
    }
    let place = place(context, layout, chain);
    match open.filter(|open| open.capacity > 0) {
        Some(open) => drop(all().put(place, open)),
        None => drop(all().pop(&place)),
    }
}

fn all() -> MutexGuard<'static, LruCache<Place, Open>> {
    // A panic with the lock held leaves no half-written entry.
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn place(context: &Context, layout: &Layout, chain: &Document) -> Place {
    (context.database().name().to_owned(), layout.collection(), layout.chain_key(chain))
}

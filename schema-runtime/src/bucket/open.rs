//! The page of a chain that this process takes for open: where its last insert went. What is remembered may be wrong, or of another server: the filter
//! of the push that goes there decides. Reaches no server.

use std::{
    num::NonZeroUsize,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

use lru::LruCache;
use mongodb::bson::{Bson, Document};

use super::layout::{Child, Layout};
use crate::{executor::Context, key::Key};

/// How many chains are remembered, those that were written last: some hundred bytes each.
const MOST: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();

/// A database, a collection and a chain.
type Place = (String, &'static str, Vec<Key>);

static OPEN: LazyLock<Mutex<LruCache<Place, Open>>> = LazyLock::new(|| Mutex::new(LruCache::new(MOST)));

/// A page that had capacity, and that no other one followed.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) page: i64,
    /// How many more children it took.
    pub(super) capacity: usize,
    /// The greatest value of the order field, where there is an order.
    pub(super) last: Option<Bson>,
}

/// The page of this chain, if one is remembered.
pub(super) fn remembered(context: &Context, layout: &Layout, child: &Child) -> Option<Open> {
    all().get(&place(context, layout, &child.chain)).cloned()
}

/// Remembers a page in the place of the one before, or none. In a transaction nothing is known until its commit.
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
    // Who panics here leaves no half of an entry.
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn place(context: &Context, layout: &Layout, chain: &Document) -> Place {
    (context.database().name().to_owned(), layout.collection(), layout.chain_key(chain))
}

//! The parents that several processes write at once. The list is a hint; the correctness of the counts does not depend
//! on the list.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
    time::Instant,
};

use mongodb::{Database, bson::Bson};

use crate::{
    key::Key,
    limits::{HOT_PARENTS, HOT_TIME},
};

type Parent = (String, &'static str, Key);

static HOT: LazyLock<Mutex<HashMap<Parent, Instant>>> = LazyLock::new(Mutex::default);

/// Marks the given parents as hot after a write conflict of a transaction.
pub(in crate::derived::rollup) fn heat<'a>(
    database: &Database,
    collection: &'static str,
    parents: impl Iterator<Item = &'a Bson>,
) {
    let now = Instant::now();
    let mut hot = HOT.lock().unwrap_or_else(PoisonError::into_inner);
    if hot.len() > HOT_PARENTS {
        hot.retain(|_, until| *until > now);
    }
    for parent in parents.take(HOT_PARENTS) {
        hot.insert((database.name().to_owned(), collection, Key::of(parent)), now + HOT_TIME);
    }
}

/// Returns whether each parent is hot. The function looks up nothing while no parent is hot.
pub(in crate::derived::rollup) fn hot_ones<'a>(
    database: &Database,
    collection: &'static str,
    parents: impl Iterator<Item = &'a Bson>,
) -> Vec<bool> {
    let now = Instant::now();
    let hot = HOT.lock().unwrap_or_else(PoisonError::into_inner);
    let is_hot = |parent: &Bson| {
        let parent = (database.name().to_owned(), collection, Key::of(parent));
        hot.get(&parent).is_some_and(|until| *until > now)
    };
    parents.map(|parent| !hot.is_empty() && is_hot(parent)).collect()
}

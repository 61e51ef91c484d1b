//! Looks up the presence of parents. Reaches the server.

use std::collections::HashMap;

use mongodb::bson::{Bson, doc};

use super::rule::{DELETING, Ruled};
use crate::{
    error::Result,
    executor::Context,
    key::{Key, may_be_an_id},
    limits::RULED_PARENTS,
    read::Query,
};

/// The presence of a parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    There,
    Deleting,
    Gone,
}

/// Returns the presence of the given parents, as a majority has the parents.
pub(super) async fn presence(context: &Context, ruled: &Ruled, parents: &[Bson]) -> Result<HashMap<Key, Presence>> {
    let mut presence: HashMap<_, _> = parents.iter().map(|parent| (Key::of(parent), Presence::Gone)).collect();
    let parents: Vec<Bson> = parents.iter().filter(|parent| may_be_an_id(parent)).cloned().collect();
    for ids in parents.chunks(RULED_PARENTS) {
        let mut query = Query::by_ids(ruled.parent.collection, ids);
        query.projection = doc! { "_id": 1, DELETING: 1 };
        for parent in query.all(&context.majority()).await? {
            let found = if parent.contains_key(DELETING) { Presence::Deleting } else { Presence::There };
            presence.extend(parent.get("_id").map(|id| (Key::of(id), found)));
        }
    }
    Ok(presence)
}

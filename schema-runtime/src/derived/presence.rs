//! Looks up the presence of documents by `_id`. Reaches the server.

use std::collections::HashMap;

use mongodb::bson::{Bson, doc};

use crate::{
    definition::{ModelDefinition, stored_names::DELETING},
    error::Result,
    executor::Context,
    key::{Key, may_be_an_id},
    limits::ASKED_IDS,
    read::Query,
};

/// The presence of a document that a delete rule may delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    There,
    Deleting,
    Gone,
}

/// Returns the presence of the documents with the given `_id`s, as a majority has the documents.
pub(super) async fn presence_of(
    context: &Context,
    model: &ModelDefinition,
    ids: &[Bson],
) -> Result<HashMap<Key, Presence>> {
    let mut presence: HashMap<_, _> = ids.iter().map(|id| (Key::of(id), Presence::Gone)).collect();
    for ids in possible(ids).chunks(ASKED_IDS) {
        let mut query = Query::by_ids(model.collection, ids);
        query.projection = doc! { "_id": 1, DELETING: 1 };
        for document in query.all(&context.majority()).await? {
            let found = if document.contains_key(DELETING) { Presence::Deleting } else { Presence::There };
            presence.extend(document.get("_id").map(|id| (Key::of(id), found)));
        }
    }
    Ok(presence)
}

/// Returns the given `_id`s that documents have, in the stored form.
pub(super) async fn existing(context: &Context, model: &ModelDefinition, ids: &[Bson]) -> Result<Vec<Bson>> {
    let mut existing = Vec::new();
    for ids in possible(ids).chunks(ASKED_IDS) {
        existing.extend(Query::by_ids(model.collection, ids).all_ids(context).await?);
    }
    Ok(existing)
}

/// Returns whether all documents with the given `_id`s exist.
pub(super) async fn all_exist(context: &Context, model: &ModelDefinition, ids: &[Bson]) -> Result<bool> {
    for ids in ids.chunks(ASKED_IDS) {
        if existing(context, model, ids).await?.len() < ids.len() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn possible(ids: &[Bson]) -> Vec<Bson> {
    ids.iter().filter(|id| may_be_an_id(id)).cloned().collect()
}

//! Lists the indexes of a model, each with the askers of the index. Pure.

use mongodb::bson::Document;

use super::{IndexAsker, IndexReview, serves::index_of};
use crate::{
    definition::{IndexOrigin, ModelDefinition},
    indexes::{Index, begins_with, index_keys, of_effects, wanted_indexes},
};

/// Returns the indexes of the model's collection in a database that matches the model.
pub(super) fn wanted(model: &'static ModelDefinition) -> Vec<Index> {
    wanted_indexes(model).unwrap_or_default()
}

pub(super) fn of(model: &'static ModelDefinition) -> Vec<IndexReview> {
    let all = wanted(model);
    all.iter().map(|index| review(model, index, &all)).collect()
}

fn review(model: &'static ModelDefinition, index: &Index, all: &[Index]) -> IndexReview {
    let mut asked_by = Vec::new();
    let serves = |keys: &Document| serving(all, keys).is_some_and(|serving| serving == index.name);
    for definition in model.all_indexes {
        let keys = index_keys(model, definition);
        match definition.origin {
            IndexOrigin::Declared if keys == index.keys => asked_by.push(IndexAsker::Declared),
            IndexOrigin::ShardKey if begins_with(&index.keys, &keys) => asked_by.push(IndexAsker::ShardKey),
            IndexOrigin::Relation(field) if serves(&keys) => asked_by.push(IndexAsker::Relation(field)),
            _ => {}
        }
    }
    if index.unique {
        asked_by.push(IndexAsker::Unique);
    }
    if index.expire_after_seconds.is_some() {
        asked_by.push(IndexAsker::Expiry);
    }
    let queries = model.queries.iter().filter(|query| index_of(query, model, all).as_ref() == Some(&index.name));
    asked_by.extend(queries.map(|query| IndexAsker::Query(query.name)));
    if of_effects(model).iter().any(|needed| begins_with(&index.keys, &needed.keys) && index.partial == needed.partial)
        && !index.has_own_collation()
    {
        asked_by.push(IndexAsker::DerivedData);
    }
    let mut unique_askers: Vec<IndexAsker> = Vec::new();
    for asker in asked_by {
        if !unique_askers.contains(&asker) {
            unique_askers.push(asker);
        }
    }
    IndexReview { name: index.name.clone(), keys: index.keys.clone(), asked_by: unique_askers, stored: None }
}

/// Returns the first index that begins with the keys and holds every document.
pub(super) fn serving(all: &[Index], keys: &Document) -> Option<String> {
    // A unique index over an `Option` holds all documents that refer to something.
    let holds = |index: &Index| index.partial.is_none() || index.unique && index.keys.len() == keys.len();
    let is_plain = |index: &Index| !index.sparse && !index.hidden && !index.has_own_collation();
    let serves = |index: &&Index| begins_with(&index.keys, keys) && holds(index) && is_plain(index);
    all.iter().find(serves).map(|index| index.name.clone())
}

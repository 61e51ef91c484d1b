//! Lists the reads that a model declares: queries and relations. Pure.

use super::{
    ReadReview,
    indexes::{serving, wanted},
    serves::{ID, index_of},
};
use crate::{
    definition::{
        IndexDefinition, IndexOrigin, InverseDefinition, Kind, MirrorDefinition, ModelDefinition, QueryDefinition,
        QuerySize,
    },
    indexes::index_keys,
};

pub(super) fn of(model: &'static ModelDefinition) -> Vec<ReadReview> {
    let indexes = wanted(model);
    let queries = model.queries.iter().map(|query| ReadReview {
        name: query.name,
        collection: model.collection,
        is_lookup: false,
        groups: query.groups.map(|groups| groups.result),
        per_day: query.per_day,
        documents: documents_of(query, model),
        index: index_of(query, model, &indexes),
    });
    let references = model.relations.iter().filter_map(|relation| {
        let target = (relation.target?.definition)();
        Some(ReadReview {
            name: relation.field,
            collection: target.collection,
            is_lookup: true,
            groups: None,
            per_day: None,
            documents: if relation.is_array() { bound_of(model, relation.field) } else { Some(1) },
            index: Some(ID.to_owned()),
        })
    });
    queries.chain(references).chain(model.inverses.iter().map(far_side)).collect()
}

/// Returns the read, from the target of a relation, of the documents that refer to the target.
fn far_side(inverse: &InverseDefinition) -> ReadReview {
    let child = (inverse.child.definition)().stored();
    let is_of_it = |index: &&IndexDefinition| match index.origin {
        IndexOrigin::Relation(field) => field == inverse.field,
        // A bucket has two indexes; the read uses the index of the parent and the page.
        IndexOrigin::Bucket => index.keys.first().is_some_and(|key| key.path == [inverse.field]),
        _ => false,
    };
    let definition = child.all_indexes.iter().find(is_of_it);
    ReadReview {
        name: inverse.accessor,
        collection: child.collection,
        is_lookup: true,
        groups: None,
        per_day: inverse.per_day,
        documents: documents_behind(inverse).map(|children| match child.bucket {
            Some(bucket) => children.div_ceil(bucket.size),
            None => children,
        }),
        index: definition.and_then(|definition| serving(&wanted(child), &index_keys(child, definition))),
    }
}

/// Returns the most documents that may refer to a document; `None` without a bound.
pub(super) fn documents_behind(inverse: &InverseDefinition) -> Option<u64> {
    if inverse.one_to_one { Some(1) } else { inverse.at_most }
}

/// Returns the most documents that a mirror may hold.
pub(super) fn documents_of_mirror(model: &ModelDefinition, mirror: &MirrorDefinition) -> Option<u64> {
    bound_of(model, mirror.field).or(Some(1))
}

fn bound_of(model: &ModelDefinition, field: &str) -> Option<u64> {
    match model.field(field)?.shape.kind {
        Kind::Array { max, .. } => max,
        _ => None,
    }
}

fn documents_of(query: &QueryDefinition, model: &ModelDefinition) -> Option<u64> {
    match query.size {
        QuerySize::First => Some(1),
        QuerySize::Limit(most) | QuerySize::Page(most) => Some(u64::from(most)),
        QuerySize::All => query.finds_one(model).then_some(1),
    }
}

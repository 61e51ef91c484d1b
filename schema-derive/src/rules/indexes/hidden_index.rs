//! Rule: `hidden_index`. The page is `guide/pages/rules/hidden_index.md`.

use super::redundant_index::{collation, keys, same_clauses};
use crate::{
    errors::Errors,
    model::{Index, Model, Origin, Place},
};

const ID: &str = "hidden_index";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    for (at, index) in model.indexes.iter().enumerate() {
        let Some(hidden) = &index.hidden else { continue };
        if let ([key], Some(id)) = (&index.keys[..], model.id())
            && key.path == [id.rust_name.clone()]
        {
            errors.rule(hidden, ID, "MongoDB does not hide the index of `_id`", "remove this index");
            continue;
        }
        let mut others = model.indexes.iter().enumerate();
        if let Some((_, other)) = others.find(|(other_at, other)| *other_at != at && is_needed(model, other, index)) {
            let who = match &other.origin {
                Origin::Declared(_) => "another index of this model is".to_owned(),
                Origin::Relation(field) => format!("the index that the relation `{field}` needs is"),
                Origin::Tree(field) => format!("the index that `{field}` of the tree needs is"),
                Origin::Slug(field) => format!("the index that the slug `{field}` needs is"),
                Origin::ShardKey => "the index that the shard key needs is".to_owned(),
                Origin::Query(name) => format!("the index that the query `{name}` needs is"),
            };
            let what =
                format!("{who} over the same keys {}, and MongoDB takes no second index of the keys", keys(index));
            errors.rule(
                hidden,
                ID,
                &what,
                "remove `hidden`: the planner uses the index only when the index is visible",
            );
        }
    }
}

/// Returns whether the other index is visible, and the server takes the other index for the same index.
pub(super) fn is_needed(model: &Model, other: &Index, index: &Index) -> bool {
    let keys = |index: &Index| index.keys.iter().map(|key| (key.path.clone(), key.direction)).collect::<Vec<_>>();
    let paths = |places: &[Place]| places.iter().map(|place| place.path.clone()).collect::<Vec<_>>();
    other.hidden.is_none()
        && other.unique.is_some() == index.unique.is_some()
        && other.sparse.is_some() == index.sparse.is_some()
        && same_clauses(&other.partial, &index.partial)
        && collation(model, other) == collation(model, index)
        && keys(other) == keys(index)
        && paths(&other.settings.only) == paths(&index.settings.only)
        && paths(&other.settings.except) == paths(&index.settings.except)
}

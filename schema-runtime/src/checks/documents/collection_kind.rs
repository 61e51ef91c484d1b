//! Rule: `collection_kind`. The page is `guide/pages/rules/collection_kind.md`.
//!
//! The half of the rule that knows the derived data of the documents, the arrays in the paths of indexes, and the
//! collection that a reference refers to.

use crate::{
    definition::{CollectionKind, FieldDefinition, ModelDefinition, each, refuse},
    model::Model,
};

/// Judges a model of a capped collection or of a time series.
#[track_caller]
pub const fn collection_kind<M: Model>() {
    let model = M::DEFINITION;
    if let Some(derived) = derived(model) {
        refuse! {
            "the writes of `{}` need a transaction because of {}, and MongoDB takes no write of a transaction to a `{}` collection",
                model.model, derived, model.options.kind.word();
            help: "remove `{}`, or the attributes that need the transaction", model.options.kind.word()
        }
    }
    if !matches!(model.options.kind, CollectionKind::TimeSeries(_)) {
        return;
    }
    each!(for index in model.all_indexes {
        each!(for key in index.keys {
            if let Some(path) = model.resolve_of(index, key.path)
                && path.array_at > 0
                && !is_meta(model, key.path)
            {
                refuse! {
                    "an index of a time series is over arrays inside of the meta field only, and `{}` is in an array",
                        key.path[key.path.len() - 1];
                    help: "remove the index, or store the array in the meta field"
                }
            }
        });
    });
}

/// Returns the derived data of the documents, in the words of the manual.
const fn derived(model: &ModelDefinition) -> Option<&'static str> {
    // A tree has a delete rule, too.
    if model.has_tree() {
        return Some("a tree");
    }
    if model.has_copies() {
        return Some("copies");
    }
    if model.has_rollups() {
        return Some("rollups");
    }
    if model.has_links() {
        return Some("a `two_way` relation");
    }
    if model.has_delete_rules() {
        return Some("delete rules");
    }
    if model.has_slugs() { Some("a slug") } else { None }
}

/// Returns whether a path begins with the meta field of the time series.
const fn is_meta(model: &ModelDefinition, path: &[&str]) -> bool {
    let CollectionKind::TimeSeries(series) = &model.options.kind else { return false };
    let (Some(meta), Some(first)) = (series.meta, crate::definition::find(model.fields, path[0])) else { return false };
    crate::definition::str_eq(first.name, meta)
}

/// Refuses a reference to a collection that nothing can refer to.
#[track_caller]
pub(in crate::checks) const fn enforce_reference(field: &FieldDefinition) {
    let unreferable = field.shape.item().unreferable;
    if !unreferable.is_empty() {
        refuse! {
            "`{}` refers to a document of a `{}` collection, and no index finds such a document by `_id`",
                field.rust_name, unreferable;
            help: "store the values that the reads need, or refer to a model of a plain, capped or clustered collection"
        }
    }
}

//! Rule: `tree_id`. The page is `guide/pages/rules/tree_id.md`.

use crate::{
    checks::fields::field_type::kind,
    definition::{Kind, find_stored, id_len, refuse},
    model::Model,
};

/// The most characters of an `_id` in a path.
const MOST: u64 = 100;

/// Judges a model with `#[tree(path)]`.
#[track_caller]
pub const fn tree_id<M: Model>() {
    let Some(id) = find_stored(M::FIELDS, "_id") else { return };
    let (model, name) = (M::DEFINITION.model, id.rust_name);
    if M::DEFINITION.options.collation.is_some() {
        refuse! {
            "the documents below a document of `{}` are a range of paths, and a collation orders paths by other rules", model;
            help: "keep the ancestors in an array: `#[tree(ancestors)]`; or remove the collation of the collection"
        }
    }
    match (id_len(&id.shape), id.shape.kind) {
        (Some(len), _) if len <= MOST => {}
        (_, Kind::String { .. }) => refuse! {
            "`{}.{}` may have more than 100 characters, and a path holds the `_id` of each ancestor", model, name;
            help: "add `#[bound(max_len = 40)]`, with 100 at most"
        },
        _ => refuse! {
            "`{}.{}` is {}, and a path needs the `_id` as text", model, name, kind(&id.shape);
            help: "use an `ObjectId`, a `Uuid`, an integer or a `String`; or keep the ancestors in an array: `#[tree(ancestors)]`"
        },
    }
}

//! Rule: `tree_id`
//!
//! A materialized path holds the `_id` of each ancestor, as text, so the `_id` is an `ObjectId`, a `Uuid`, an integer,
//! or a `String` with a bound of at most 100 characters. The insert refuses a `String` with a `:`, since a `:`
//! separates the `_id`s. The documents below a document are a range of paths, so the collection compares texts by
//! bytes.
//!
//! Source: MongoDB, "Model Tree Structures with Materialized Paths": names in a path, separated by commas. The number
//! is a choice of this crate: 200 levels of 100 characters are a path of 20 kB.

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

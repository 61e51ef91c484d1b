//! Rule: `collection_options`. The page is `guide/pages/rules/collection_options.md`.
//!
//! The half of the rule that knows the type of `_id`.

use crate::{
    checks::fields::field_type::kind,
    definition::{Kind, Scalar, find_stored, refuse},
    model::Model,
};

/// Judges the `ttl` of a clustered collection.
#[track_caller]
pub const fn clustered_ttl<M: Model>() {
    let Some(id) = find_stored(M::FIELDS, "_id") else { return };
    if !matches!(id.shape.kind, Kind::Scalar(Scalar::DateTime)) {
        refuse! {
            "the documents of a clustered collection expire by the date in `_id`, and `{}` is {}",
                id.rust_name, kind(&id.shape);
            help: "make the `_id` a `DateTime`, or remove `ttl` and write `#[index(ttl = \"30d\")]` on a `DateTime` field"
        }
    }
}

//! Rule: `collation_id`
//!
//! The `_id` of a collection with a collation holds no text. The index of `_id` has the collation of the collection, so
//! that two `_id`s with different bytes may be equal: a second document is refused as a duplicate, a read of `abc`
//! finds `Abc`, and a reference that is compared by its bytes finds nothing.
//!
//! Source: MongoDB, "Collation", "index operations on `_id`": the index of `_id` has the collation of the collection.

use crate::{
    checks::fields::field_type::kind,
    definition::{find_stored, refuse},
    model::Model,
};

/// Judges the `_id` of a model whose collection has a collation.
#[track_caller]
pub const fn collation_id<M: Model>() {
    let Some(id) = find_stored(M::FIELDS, "_id") else { return };
    if id.shape.may_hold_text() {
        refuse! {
            "the collation would make different `_id`s equal: `{}` is {}", id.rust_name, kind(&id.shape);
            help: "use an `ObjectId`, a `Uuid` or a number as `_id`; or remove the collation here, and write it on the indexes \
                   and queries that compare texts by a language"
        }
    }
}

//! Rule: `collation_id`. The page is `guide/pages/rules/collation_id.md`.

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

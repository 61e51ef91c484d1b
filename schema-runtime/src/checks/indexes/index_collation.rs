//! Rule: `index_collation`. The page is `guide/pages/rules/index_collation.md`.
//!
//! The half of the rule that knows the type of `_id`: pages with a collation continue behind an `_id`, and under a
//! collation two texts may be one place of the order.

use crate::{
    checks::fields::field_type::kind,
    definition::{Kind, find_stored, refuse},
    model::Model,
};

/// Judges the collation of a query in pages of `M`.
#[track_caller]
pub const fn collated_pages<M: Model>() {
    let Some(id) = find_stored(M::DEFINITION.fields, "_id") else { return };
    if !matches!(id.shape.kind, Kind::Scalar(_)) {
        refuse! {
            "pages continue behind an `_id`, and `{}` is {}: under a collation, two documents may have the same place, and a page would leave one of the documents out",
                id.rust_name, kind(&id.shape);
            help: "write `limit` in place of `page`, or remove the collation; ids of another type, as `ObjectId`, have one order"
        }
    }
}

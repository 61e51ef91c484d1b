//! Rule: `scalar_array_too_large`. The page is `guide/pages/rules/scalar_array_too_large.md`.
//!
//! The half of the rule that knows the type of the elements: `#[bound(max_items = N)]` is for scalars.

use crate::{
    checks::fields::field_type::innermost,
    definition::{FieldDefinition, Kind, refuse},
};

#[track_caller]
pub(in crate::checks) const fn enforce(field: &FieldDefinition) {
    if let Kind::Document { name, .. } = innermost(&field.shape.item()).kind {
        refuse! {
            "`{}` holds structs (`{}`), and `#[bound(max_items = N)]` is for scalars", field.rust_name, name;
            help: "write `#[relation(one_to_few, embed, max = N)]`: `max` bounds an array of structs"
        }
    }
}

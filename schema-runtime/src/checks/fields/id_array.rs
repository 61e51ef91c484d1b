//! Rule: `id_array`. The page is `guide/pages/rules/id_array.md`.
//!
//! The half of the rule that sees through aliases and newtypes, where the derive sees only a name.

use crate::definition::{FieldDefinition, Kind, refuse};

#[track_caller]
pub(in crate::checks) const fn enforce(field: &FieldDefinition) {
    if matches!(field.shape.kind, Kind::Array { .. }) {
        refuse! {
            "`{}` is the `_id`, and MongoDB refuses an array as `_id`", field.rust_name;
            help: "use an `ObjectId`, a `String`, a number, a `Uuid`, or a struct that derives `Embed`"
        }
    }
    if matches!(field.shape.kind, Kind::Opaque { raw: Some(_), .. }) {
        refuse! {
            "`{}` is the `_id`, and a value of any form may be an array, which MongoDB refuses as `_id`", field.rust_name;
            help: "use an `ObjectId`, a `String`, a number, a `Uuid`, or a struct that derives `Embed`"
        }
    }
}

//! Rule: `id_missing`. The page is `guide/pages/rules/id_missing.md`.
//!
//! The half of the rule that sees an `_id` that may be null.

use crate::definition::{FieldDefinition, refuse};

#[track_caller]
pub(in crate::checks) const fn enforce(field: &FieldDefinition) {
    if field.shape.nullable {
        refuse! {
            "`{}` is the `_id` and may be null: a collection holds at most one document with a null as the `_id`",
                field.rust_name;
            help: "write `{}: ObjectId`, and give each new value an `ObjectId::new()`", field.rust_name
        }
    }
}

//! Rule: `immutable_field`. The page is `guide/pages/rules/immutable_field.md`.
//!
//! The half of the rule that knows the structs inside of a field, and the delete rules of a relation.

use crate::definition::{DeleteRule, FieldDefinition, refuse};

/// Refuses copies in the value of an immutable field.
#[track_caller]
pub(in crate::checks) const fn enforce(field: &FieldDefinition) {
    if field.immutable && field.holds_copies() {
        refuse! {
            "`{}` is immutable and holds copies, and each write of a source changes the copies", field.rust_name;
            help: "remove `#[immutable]`"
        }
    }
}

/// Refuses a delete rule that changes an immutable reference.
#[track_caller]
pub(in crate::checks) const fn enforce_delete_rule(model: &str, field: &FieldDefinition, rule: DeleteRule) {
    if field.immutable && matches!(rule, DeleteRule::Nullify | DeleteRule::Pull) {
        refuse! {
            "`{}.{}` is immutable, and `{}` changes the reference", model, field.rust_name, rule.word();
            help: "write `on_delete = restrict` or `on_delete = cascade`; or remove `#[immutable]` there"
        }
    }
}

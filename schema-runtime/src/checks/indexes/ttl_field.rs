//! Rule: `ttl_field`
//!
//! The half of the rule that knows the field's type.

use crate::{
    checks::fields::field_type::{innermost, kind},
    definition::{IndexKey, Kind, Message, ResolvedPath, Scalar},
};

#[track_caller]
pub(in crate::checks) const fn enforce(key: &IndexKey, path: &ResolvedPath) {
    let shape = innermost(&path.shape);
    if !matches!(shape.kind, Kind::Scalar(Scalar::DateTime) | Kind::Opaque { .. }) {
        Message::new()
            .code(key.path[key.path.len() - 1])
            .text(" is ")
            .text(kind(&shape))
            .text(", and a `ttl` index deletes only by a date: these documents would never be deleted\nhelp: store a `DateTime` and put the `ttl` on it\nrule: ttl_field")
            .fail()
    }
}

//! Rule: `ttl_field`. The page is `guide/pages/rules/ttl_field.md`.
//!
//! The half of the rule that knows the field's type.

use crate::{
    checks::fields::field_type::{innermost, kind},
    definition::{IndexKey, Kind, ResolvedPath, Scalar, refuse},
};

#[track_caller]
pub(in crate::checks) const fn enforce(key: &IndexKey, path: &ResolvedPath) {
    let shape = innermost(&path.shape);
    if !matches!(shape.kind, Kind::Scalar(Scalar::DateTime) | Kind::Opaque { .. }) {
        refuse! {
            "`{}` is {}, and a `ttl` index deletes only by a date: the documents would never be deleted",
                key.path[key.path.len() - 1], kind(&shape);
            help: "store a `DateTime`, and write the `ttl` on the `DateTime` field"
        }
    }
}

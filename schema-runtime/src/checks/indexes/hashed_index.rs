//! Rule: `hashed_index`. The page is `guide/pages/rules/hashed_index.md`.
//!
//! The half of the rule that knows the field's type.

use crate::{
    checks::fields::field_type::kind,
    definition::{IndexKey, Kind, ResolvedPath, refuse},
};

#[track_caller]
pub(in crate::checks) const fn enforce(key: &IndexKey, path: &ResolvedPath) {
    let why = if path.array_at > 0 {
        "and MongoDB hashes no array"
    } else if matches!(path.shape.kind, Kind::Scalar(scalar) if scalar.is_float()) {
        "and MongoDB hashes 2.2 and 2.9 alike"
    } else {
        return;
    };
    let shape = if path.array_at > 0 && !path.shape.is_collection() { "inside an array" } else { kind(&path.shape) };
    refuse! {
        "`{}` is {}, {}", key.path[key.path.len() - 1], shape, why;
        help: "index the field without `hashed`"
    }
}

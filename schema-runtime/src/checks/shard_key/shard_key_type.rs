//! Rule: `shard_key_type`
//!
//! The half of the rule that knows the field's type.

use crate::{
    checks::fields::field_type::kind,
    definition::{Kind, ResolvedPath, ShardKeyField, refuse},
};

#[track_caller]
pub(in crate::checks) const fn enforce(field: &ShardKeyField, path: &ResolvedPath) {
    if !field.hashed || !matches!(path.shape.kind, Kind::Scalar(scalar) if scalar.is_fraction()) {
        return;
    }
    refuse! {
        "`{}` is {}, and MongoDB hashes 2.2 and 2.9 alike", field.path[field.path.len() - 1], kind(&path.shape);
        help: "hash a field that is a whole number, a string or an id"
    }
}

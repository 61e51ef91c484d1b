//! Rule: `shard_key_array`. The page is `guide/pages/rules/shard_key_array.md`.

use crate::{
    checks::fields::field_type::kind,
    definition::{Kind, ModelDefinition, ResolvedPath, ShardKeyField, dotted, refuse},
};

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, field: &ShardKeyField, path: &ResolvedPath) {
    if !is_broken(path) {
        return;
    }
    let what = if path.array_at > 0 && !path.shape.is_collection() { "inside an array" } else { kind(&path.shape) };
    refuse! {
        "`{}.{}` is {}, and a field of a shard key has a single value in each document", model.model, dotted(field.path).as_str(), what;
        help: "name fields that are a number, a string, a date or an id; write a field inside of an embedded struct as `address.city`"
    }
}

/// True when the field is not a single value.
pub(in crate::checks) const fn is_broken(path: &ResolvedPath) -> bool {
    path.array_at > 0 || !matches!(path.shape.kind, Kind::Scalar(_) | Kind::String { .. } | Kind::Enum(_))
}

//! Rule: `shard_key_type`. The page is `guide/pages/rules/shard_key_type.md`.
//!
//! The half of the rule that knows the field's type. A router compares the shard key by bytes, and sends a read of a
//! text to all shards where the collection compares the text by a collation.

use crate::{
    checks::fields::field_type::kind,
    definition::{Kind, ModelDefinition, ResolvedPath, ShardKeyField, refuse},
};

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, field: &ShardKeyField, path: &ResolvedPath) {
    if model.options.collation.is_some() && path.shape.may_hold_text() {
        refuse! {
            "`{}` is {}, and a router compares the shard key by bytes, where the collection has a collation",
                field.path[field.path.len() - 1], kind(&path.shape);
            help: "shard by a field without texts; or remove the collation of the collection, and write the collation on the \
                   indexes and queries that compare texts by a language"
        }
    }
    if !field.hashed || !matches!(path.shape.kind, Kind::Scalar(scalar) if scalar.is_fraction()) {
        return;
    }
    refuse! {
        "`{}` is {}, and MongoDB hashes 2.2 and 2.9 alike", field.path[field.path.len() - 1], kind(&path.shape);
        help: "hash a field that is a whole number, a string or an id"
    }
}

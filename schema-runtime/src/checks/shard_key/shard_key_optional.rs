//! Rule: `shard_key_optional`
//!
//! Documents without a field of the shard key are stored as if the field were null: all in one chunk, which cannot be
//! split when the field is the first field. So the field is no `Option`, and neither the field nor a struct around the
//! field may be left out (`default`, `skip_serializing_if`).
//!
//! Source: MongoDB, "missing shard key fields".

use crate::definition::{ModelDefinition, ResolvedPath, ShardKeyField, dotted, refuse};

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, field: &ShardKeyField, path: &ResolvedPath) {
    if !path.optional {
        return;
    }
    refuse! {
        "`{}.{}` may be null or absent, and all documents without a value have the same shard key: the documents stay on a single shard",
            model.model, dotted(field.path).as_str();
        help: "give the field a value in every document: no `Option`, no serde `default`; or choose a field that each document has"
    }
}

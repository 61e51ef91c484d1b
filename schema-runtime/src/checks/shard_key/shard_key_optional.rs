//! Rule: `shard_key_optional`. The page is `guide/pages/rules/shard_key_optional.md`.

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

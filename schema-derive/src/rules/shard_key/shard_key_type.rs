//! Rule: `shard_key_type`. The page is `guide/pages/rules/shard_key_type.md`.

use crate::{errors::Errors, model::Model};

const ID: &str = "shard_key_type";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let Some(key) = &model.shard_key else { return };
    if let (Some(unique), true) = (&key.unique, key.fields.iter().any(|field| field.hashed)) {
        errors.rule(
            unique,
            ID,
            "a shard key with a hashed field cannot be unique: two values may have the same hash",
            "remove `unique`, or write the field without `hashed`",
        );
    }
}

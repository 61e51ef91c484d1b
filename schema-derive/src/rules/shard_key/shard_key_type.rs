//! Rule: `shard_key_type`
//!
//! A hashed shard key cannot be unique, since two values may have the same hash. A hashed shard key takes no
//! floating-point number and no decimal: 2.2 and 2.9 have the same hash, so that the values of a whole number are never
//! split.
//!
//! Source: MongoDB, "hashed sharding" and "shardCollection: unique".

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

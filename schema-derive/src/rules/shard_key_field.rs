//! Rule: `shard_key_field`
//!
//! A shard key names each field once, has at most 32 of them and hashes at most one.
//!
//! Source: MongoDB limits, "compound index keys", and "compound hashed shard keys".

use crate::{errors::Errors, model::Model};

const ID: &str = "shard_key_field";
/// The most fields of an index, and so of a shard key.
const MOST: usize = 32;

pub(super) fn enforce(model: &Model, errors: &Errors) {
    let Some(key) = &model.shard_key else { return };
    for (at, field) in key.fields.iter().enumerate() {
        if key.fields[..at].iter().any(|earlier| earlier.path == field.path) {
            let path = field.path.join(".");
            errors.rule(&field.tokens, ID, &format!("`{path}` is in this shard key twice"), "remove one of the two");
        }
    }
    if let Some(field) = key.fields.get(MOST) {
        errors.rule(
            &field.tokens,
            ID,
            &format!("this shard key has {} fields, and MongoDB takes {MOST} at most", key.fields.len()),
            "two or three are enough: the first targets a shard, the others make chunks that can be split",
        );
    }
    let mut hashed = key.fields.iter().filter(|field| field.hashed);
    if let (Some(_), Some(second)) = (hashed.next(), hashed.next()) {
        errors.rule(
            &second.tokens,
            ID,
            "a shard key has at most one hashed field",
            "hash the field with the most values, and write the other without `hashed`",
        );
    }
}

//! Rule: `hashed_index`
//!
//! A hashed key keeps a hash of the value. A hashed key cannot be unique, an index has at most a single hashed key, and
//! a hashed key takes no array and no floating-point number (2.2 and 2.9 have the same hash).
//!
//! Source: MongoDB, "hashed indexes" and "compound hashed indexes".

use crate::{
    errors::Errors,
    model::{Direction, Model, Origin},
};

const ID: &str = "hashed_index";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    // The rules of the shard key judge the index of a shard key.
    for index in model.indexes.iter().filter(|index| !matches!(index.origin, Origin::ShardKey)) {
        let hashed: Vec<_> = index.keys.iter().filter(|key| key.direction == Direction::Hashed).collect();
        if let (Some(unique), [_, ..]) = (&index.unique, hashed.as_slice()) {
            errors.rule(
                unique,
                ID,
                "a hashed index cannot be unique: two values may have the same hash",
                "declare a second index over the field itself: `#[index(field, unique)]`",
            );
        }
        if let [_, second, ..] = hashed.as_slice() {
            errors.rule(
                &second.tokens,
                ID,
                "an index has at most one hashed key",
                "hash the field with the most values, and write the remaining fields without `hashed`",
            );
        }
    }
}

//! Rule: `hashed_index`. The page is `guide/pages/rules/hashed_index.md`.

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
        let sphere = index.keys.iter().find(|key| key.direction == Direction::Sphere);
        if let (Some(sphere), [_, ..]) = (sphere, hashed.as_slice()) {
            errors.rule(
                &sphere.tokens,
                ID,
                "`geo` and `hashed` are two special kinds, and an index has one",
                "declare a separate index for this field",
            );
        }
    }
}

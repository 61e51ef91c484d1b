//! Rule: `immutable_field`. The page is `guide/pages/rules/immutable_field.md`.

use crate::{
    errors::Errors,
    model::{Field, Model, Writes},
};

const ID: &str = "immutable_field";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    for field in model.record.judged() {
        let Some(tokens) = &field.immutable else { continue };
        let name = &field.rust_name;
        if let Some(why) = why_not(model, field) {
            errors.rule(tokens, ID, &format!("`{name}` {why}"), "remove `#[immutable]`");
        }
    }
}

/// Returns why a field is not immutable by the attribute; `None` for a field that the program could change.
fn why_not(model: &Model, field: &Field) -> Option<String> {
    if model.writes != Writes::All {
        return Some(format!("never changes: the model is `{}`", model.writes.word()));
    }
    let is_in_key = |key: &crate::model::ShardKeyField| key.path.first() == Some(&field.rust_name);
    if model.shard_key.iter().flat_map(|key| &key.fields).any(is_in_key) {
        return Some("is in the shard key, which only `change_shard_key` changes".to_owned());
    }
    if model.is_placed_by(field) {
        return Some("decides the bucket of a child, and no update changes the field".to_owned());
    }
    let is_mirrored = field.relation().is_some_and(|relation| relation.storage.is_mirrored());
    is_mirrored.then(|| "is an end of a `two_way`, and the writes of the other end change the field".to_owned())
}

//! Rule: `immutable_field`
//!
//! Only an insert sets a field with `#[immutable]`. The methods of an update do not take the field. A write of a whole
//! value, as `replace` or `save`, compares the value with the stored value, and writes nothing where the values differ.
//!
//! The attribute stands on a field that the program could change otherwise. A field of the shard key, a field that
//! gives the bucket of a child, and each field of an `insert_only` or `read_only` model never change anyway. Both ends
//! of a `two_way` change with the writes of the other end. A delete rule `nullify` or `pull` changes a reference. A
//! value with copies inside changes with the sources of the copies.
//!
//! Source: Mongoose, "immutable"; Mongoid, "attr_readonly".

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

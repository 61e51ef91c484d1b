//! Rule: `shard_key_field`. The page is `guide/pages/rules/shard_key_field.md`.

use crate::{
    errors::Errors,
    model::{Copy, Field, Model, Relation},
};

const ID: &str = "shard_key_field";
/// The most fields of an index, and so of a shard key.
const MOST: usize = 32;

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let Some(key) = &model.shard_key else { return };
    for (at, field) in key.fields.iter().enumerate() {
        if key.fields[..at].iter().any(|earlier| earlier.path == field.path) {
            let path = field.path.join(".");
            errors.rule(&field.tokens, ID, &format!("`{path}` is in this shard key twice"), "remove one of the two");
        }
    }
    for field in &key.fields {
        let mut fields = model.record.fields.iter();
        let stored = fields.find(|stored| field.path.first() == Some(&stored.rust_name));
        if let Some(why) = stored.and_then(set_by_the_crate) {
            errors.rule(
                &field.tokens,
                ID,
                &format!(
                    "`{}` {why}, so the application's value does not determine the shard of the document",
                    field.path.join(".")
                ),
                "name a field that the application sets and does not change, for example a separate `time: DateTime`",
            );
        }
    }
    if let Some(field) = key.fields.get(MOST) {
        errors.rule(
            &field.tokens,
            ID,
            &format!("this shard key has {} fields, and MongoDB takes {MOST} at most", key.fields.len()),
            "two or three fields are enough: the first field targets a shard, the remaining fields make chunks that can be split",
        );
    }
    let mut hashed = key.fields.iter().filter(|field| field.hashed);
    if let (Some(_), Some(second)) = (hashed.next(), hashed.next()) {
        errors.rule(
            &second.tokens,
            ID,
            "a shard key has at most one hashed field",
            "hash the field with the most values, and write the remaining fields without `hashed`",
        );
    }
}

/// Says why the stored value may differ from the application's value.
fn set_by_the_crate(field: &Field) -> Option<&'static str> {
    if field.managed.is_some() {
        Some("is set by this crate at each write")
    } else if field.rollup.is_some() {
        Some("is maintained by the writes of the children")
    } else if field.copy.as_ref().is_some_and(Copy::tracks_source) {
        Some("is a copy that follows the source")
    } else if field.relation().is_some_and(Relation::is_mirror) {
        Some("is a mirror, maintained by the writes of the far side")
    } else {
        None
    }
}

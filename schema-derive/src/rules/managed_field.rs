//! Rule: `managed_field`
//!
//! The crate sets the fields with `#[version]`, `#[created_at]` and `#[updated_at]` at every write. A model has at most one of
//! each; each is always stored, since what is left out cannot be set; none alone has a unique index, since documents that are
//! written together have the same time.
//!
//! Source: MongoDB, "unique indexes".

use crate::{
    errors::Errors,
    model::{ManagedField, Model},
};

const ID: &str = "managed_field";

pub(super) fn enforce(model: &Model, errors: &Errors) {
    let mut seen: Vec<(&ManagedField, &str)> = Vec::new();
    for field in model.record.judged() {
        let Some(managed) = &field.managed else { continue };
        let (word, name) = (managed.managed.word(), &field.rust_name);
        if let Some((_, earlier)) = seen.iter().find(|(earlier, _)| earlier.managed == managed.managed) {
            errors.rule(
                &managed.tokens,
                ID,
                &format!("`{earlier}` has `#[{word}]` already, and a document has one"),
                "remove one of the two",
            );
            continue;
        }
        seen.push((managed, name));
        if field.skippable {
            errors.rule(
                &managed.tokens,
                ID,
                &format!("serde may leave `{name}` out, and the crate sets it at every write"),
                "remove `skip_serializing_if`",
            );
        }
        let alone = |index: &&crate::model::Index| matches!(&index.keys[..], [key] if key.path == [name.as_str()]);
        if let Some(unique) = model.indexes.iter().filter(alone).find_map(|index| index.unique.as_ref()) {
            errors.rule(
                unique,
                ID,
                &format!("the crate sets `{name}`, and documents that are written together have the same value"),
                "remove `unique`",
            );
        }
    }
}

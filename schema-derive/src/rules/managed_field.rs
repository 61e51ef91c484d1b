//! Rule: `managed_field`
//!
//! The crate sets the fields with `#[version]`, `#[created_at]` and `#[updated_at]` at every write. A model has at most one of
//! each; each is always stored, since what is left out cannot be set; none alone has a unique index, since documents that are
//! written together have the same time. What the writes of children maintain (`#[subset(..)]`, `#[computed(..)]`) is in no unique
//! index at all: the index would refuse what a parent keeps of a child that is stored already, and all new parents have the same.
//!
//! Source: MongoDB, "unique indexes".

use crate::{
    errors::Errors,
    model::{ManagedField, Model},
};

const ID: &str = "managed_field";

pub(super) fn enforce(model: &Model, errors: &Errors) {
    enforce_rollups(model, errors);
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

fn enforce_rollups(model: &Model, errors: &Errors) {
    for index in &model.indexes {
        let Some(unique) = &index.unique else { continue };
        let mut paths = index.keys.iter().map(|key| &key.path).chain(index.partial.iter().map(|clause| &clause.path));
        let kept = |path: &Vec<String>| {
            let mut fields = model.record.judged();
            fields.find(|field| field.rollup.is_some() && path.first() == Some(&field.rust_name))
        };
        if let Some(field) = paths.find_map(kept) {
            let name = &field.rust_name;
            errors.rule(
                unique,
                ID,
                &format!("`{name}` is set by the writes of the children, and the index would refuse it when the child is stored already"),
                &format!("remove `unique`, or `{name}` from this index"),
            );
        }
    }
}

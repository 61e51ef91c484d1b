//! Rule: `managed_field`. The page is `guide/pages/rules/managed_field.md`.

use crate::{
    errors::Errors,
    model::{Field, Managed, ManagedField, Model, Relation},
};

const ID: &str = "managed_field";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    enforce_rollups(model, errors);
    enforce_unversioned(model, errors);
    let mut seen: Vec<(&ManagedField, &str)> = Vec::new();
    for field in model.record.judged() {
        let Some(managed) = &field.managed else { continue };
        let (word, name) = (managed.managed.word(), &field.rust_name);
        if let Some((_, earlier)) = seen.iter().find(|(earlier, _)| earlier.managed == managed.managed) {
            errors.rule(
                &managed.tokens,
                ID,
                &format!("`{earlier}` has `#[{word}]` already, and a model has a single field with `#[{word}]`"),
                "remove one of the two",
            );
            continue;
        }
        seen.push((managed, name));
        if field.skippable {
            errors.rule(
                &managed.tokens,
                ID,
                &format!("serde may leave `{name}` out, and the crate sets `{name}` at every write"),
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

fn enforce_unversioned(model: &Model, errors: &Errors) {
    let is_version = |field: &Field| field.managed.as_ref().is_some_and(|managed| managed.managed == Managed::Version);
    let has_version = model.record.fields.iter().any(is_version);
    for field in model.record.judged() {
        let Some(tokens) = &field.unversioned else { continue };
        let name = &field.rust_name;
        if !has_version {
            errors.rule(
                tokens,
                ID,
                &format!(
                    "`{}` has no version, and `#[unversioned]` leaves `{name}` out of the version",
                    model.record.ident
                ),
                "remove `#[unversioned]`, or add a field with `#[version]`",
            );
        } else if let Some(why) = why_versioned(model, field) {
            errors.rule(tokens, ID, &format!("`{name}` {why}"), "remove `#[unversioned]`");
        }
    }
}

/// Says why the changes of a field count for the version.
fn why_versioned(model: &Model, field: &Field) -> Option<String> {
    let name = &field.rust_name;
    let mut keys = model.shard_key.iter().flat_map(|key| &key.fields);
    if keys.any(|key| key.path.first() == Some(name)) {
        return Some("is in the shard key, and a `save` finds the document by the shard key".to_owned());
    }
    if field.relation().is_some_and(Relation::is_mirror) {
        let why = "is a mirror: the writes of the far side raise no version, and a `save` leaves the stored links";
        return Some(why.to_owned());
    }
    let mut others = model.record.fields.iter();
    let beside = others.find(|other| other.copy.as_ref().is_some_and(|copy| copy.reference == *name));
    if let Some(copy) = beside {
        let copy = &copy.rust_name;
        return Some(format!("decides the source of the copy `{copy}`, and the version keeps the two fields together"));
    }
    let mut others = model.record.fields.iter();
    let follows = |field: &&Field| field.slug.as_ref().is_some_and(|slug| slug.follow.is_some() && slug.from == *name);
    let slug = &others.find(follows)?.rust_name;
    Some(format!("decides the slug `{slug}`, and the version keeps the two fields together"))
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
                &format!("`{name}` is set by the writes of the children, and the index would refuse the value when the child is stored already"),
                &format!("remove `unique`, or `{name}` from this index"),
            );
        }
    }
}

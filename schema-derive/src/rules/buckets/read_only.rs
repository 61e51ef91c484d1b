//! Rule: `read_only`. The page is `guide/pages/rules/read_only.md`.

use crate::{
    errors::Errors,
    model::{CopyMode, Field, Managed, Model, Origin, Slug, Stored, Writes},
};

const ID: &str = "read_only";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    if model.writes.updates() {
        return;
    }
    let (word, a_model) = (model.writes.word(), a_model(model.writes));
    for field in model.record.judged() {
        enforce_field(field, model.writes, errors);
    }
    for (name, copied) in model.record.judged_copied() {
        let what = format!("no write of {a_model} changes `{name}`, so no write updates the copies");
        errors.rule(
            &copied.tokens,
            ID,
            &what,
            "remove `#[copied_to(..)]`; a copy of a field that another program writes is `external`",
        );
    }
    for inverse in &model.inverses {
        if let Some(on_delete) = &inverse.on_delete {
            let what = format!("no document of {a_model} is deleted, and `on_delete` is a rule for deletes");
            errors.rule(&on_delete.tokens, ID, &what, &format!("remove `on_delete`, or `{word}`"));
        }
    }
    // The rule `collection_kind` judges the indexes of views.
    if model.writes.inserts() || model.writes == Writes::Viewed {
        return;
    }
    if let Some(field) = model.shard_key.as_ref().and_then(|key| key.fields.first()) {
        let what = format!("a plan leaves the collection of {a_model} unchanged, and sets no shard key");
        errors.rule(&field.tokens, ID, &what, &format!("remove `#[shard_key(..)]`, or `{word}`"));
    }
    for index in &model.indexes {
        if let Origin::Declared(tokens) = &index.origin {
            let what = format!("a plan leaves the collection of {a_model} unchanged, and creates no index");
            errors.rule(tokens, ID, &what, &format!("remove the index, or `{word}`"));
        }
    }
}

fn a_model(writes: Writes) -> String {
    format!("{} `{}` model", if writes.word().starts_with('i') { "an" } else { "a" }, writes.word())
}

fn enforce_field(field: &Field, writes: Writes, errors: &Errors) {
    let (name, word, a_model) = (&field.rust_name, writes.word(), a_model(writes));
    let is_late = |managed| match managed {
        Managed::CreatedAt => !writes.inserts(),
        Managed::Version | Managed::UpdatedAt => true,
    };
    if let Some(managed) = field.managed.as_ref().filter(|managed| is_late(managed.managed)) {
        let what = format!("`{name}` would be set by writes that {a_model} does not have");
        errors.rule(&managed.tokens, ID, &what, &format!("remove `#[{}]`, or `{word}`", managed.managed.word()));
    }
    if let Some(copy) = &field.copy
        && !(copy.mode == CopyMode::Snapshot && writes.inserts())
    {
        let help = match writes.inserts() {
            true => "add `snapshot`: the copy keeps the value of the insert",
            false => "remove `#[denormalize(..)]`: the field is then read as stored",
        };
        let what = format!("`{name}` would be updated with the source, and {a_model} is not updated");
        errors.rule(&copy.tokens, ID, &what, help);
    }
    if let Some(rollup) = &field.rollup {
        let what = format!("`{name}` would be updated with the children, and {a_model} is not updated");
        errors.rule(&rollup.tokens, ID, &what, &format!("compute the value at each read, or remove `{word}`"));
    }
    if let Some(relation) = field.relation().filter(|relation| relation.storage.is_mirrored()) {
        let what = format!("`{name}` would be updated with the far side of each link, and {a_model} is not updated");
        let help = format!("remove `{word}`; or store the relation at one end, as a `parent_ref` or `child_refs`");
        errors.rule(&relation.storage_tokens, ID, &what, &help);
    }
    if let Stored::History(history) = &field.storage
        && writes.inserts()
    {
        let what = format!("each entry of `{name}` would be an update, and {a_model} is not updated");
        errors.rule(&history.keep.tokens, ID, &what, &format!("write `#[bound(max_items = N)]`, or remove `{word}`"));
    }
    if let Some(slug) = &field.slug {
        enforce_slug(name, slug, writes, errors);
    }
}

/// Checks a slug: an insert makes the slug, and an update follows a name and keeps the earlier slug.
fn enforce_slug(name: &str, slug: &Slug, writes: Writes, errors: &Errors) {
    let (word, a_model) = (writes.word(), a_model(writes));
    let (tokens, what, help) = match (&slug.follow, &slug.keep_old) {
        _ if !writes.inserts() => {
            let what = format!("no write of {a_model} sets the slug `{name}`, and a plan creates no index of the slug");
            (&slug.tokens, what, "remove `#[slug(..)]`, and write `#[bound(max_len = N)]`".to_owned())
        }
        (Some(follow), _) => {
            let what = format!("`{name}` would follow a new name, and {a_model} is not updated");
            (follow, what, format!("remove `follow`, or `{word}`"))
        }
        (None, Some(keep_old)) => {
            let what = format!("`{name}` has no earlier slugs to keep: {a_model} is not updated");
            (&keep_old.tokens, what, format!("remove `keep_old`, or `{word}`"))
        }
        (None, None) => return,
    };
    errors.rule(tokens, ID, &what, &help);
}

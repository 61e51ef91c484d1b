//! Rule: `read_only`
//!
//! This application never writes the collection of a model with `#[model(.., read_only)]`, as a view or the collection of another
//! program, and never changes a document of one with `insert_only`. So it cannot keep up what its own writes would: versions and
//! timestamps, copies, what parents hold of their children. A plan makes no index for a `read_only` model either.
//!
//! Source: MongoDB, "views are read-only"; "time series collections: updates have limitations".

use crate::{
    errors::Errors,
    model::{CopyMode, Field, Managed, Model, Origin, Writes},
};

const ID: &str = "read_only";

pub(super) fn enforce(model: &Model, errors: &Errors) {
    if model.writes.updates() {
        return;
    }
    let (word, a_model) = (model.writes.word(), a_model(model.writes));
    for field in model.record.judged() {
        enforce_field(field, model.writes, errors);
    }
    if model.writes.inserts() {
        return;
    }
    for index in &model.indexes {
        if let Origin::Declared(tokens) = &index.origin {
            let what = format!("a plan leaves the collection of {a_model} as it is, and makes no index in it");
            errors.rule(tokens, ID, &what, &format!("remove the index, or `{word}`"));
        }
    }
}

fn a_model(writes: Writes) -> String {
    format!("{} `{}` model", if writes.inserts() { "an" } else { "a" }, writes.word())
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
            true => "add `snapshot`: the copy then has the value of its insert",
            false => "remove `#[denormalize(..)]`: the field is then read as it is stored",
        };
        let what = format!("`{name}` would be updated with its source, and {a_model} is not updated");
        errors.rule(&copy.tokens, ID, &what, help);
    }
    for copied in &field.copied_to {
        let what = format!("no write of {a_model} changes `{name}`, so that none propagates it");
        errors.rule(
            &copied.tokens,
            ID,
            &what,
            "remove `#[copied_to(..)]`; a copy of what another program writes is `streamed`",
        );
    }
    if let Some(rollup) = &field.rollup {
        let what = format!("`{name}` would be updated with the children, and {a_model} is not updated");
        errors.rule(&rollup.tokens, ID, &what, &format!("compute it when it is read, or remove `{word}`"));
    }
}

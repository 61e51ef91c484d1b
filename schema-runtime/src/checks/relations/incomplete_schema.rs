//! Rule: `incomplete_schema`
//!
//! A schema lists every model that a listed model refers to, copies from, is copied to or has a delete rule for, each once. A missing model
//! would get no collection, no validator and no index, and no search would find its dangling references and stale copies.
//!
//! Source: MongoEngine's delete rules, which do not fire for a class that is not loaded.

use crate::{
    checks::schema_index::SchemaIndex,
    definition::{CopyDefinition, CopyMode, Message, ModelDefinition, copy_inside, last_segment},
};

#[track_caller]
pub(in crate::checks) const fn enforce<const N: usize>(schema: &SchemaIndex<N>, at: usize) {
    let model = schema.models[at];
    if let Some(first) = schema.find(model.name)
        && first < at
    {
        Message::new()
            .code(model.model)
            .text(" is listed twice in this schema\nhelp: list it once\nrule: incomplete_schema")
            .fail()
    }
    let mut relation = 0;
    while relation < model.relations.len() {
        if let Some(target) = &model.relations[relation].target
            && schema.find(target.name).is_none()
        {
            missing(model.model, model.relations[relation].field, " refers to ", target.name)
        }
        relation += 1;
    }
    let mut inverse = 0;
    while inverse < model.inverses.len() {
        let far = &model.inverses[inverse];
        if far.on_delete.is_some() && schema.find(far.child.name).is_none() {
            missing(model.model, far.accessor, " says what a delete does to ", far.child.name)
        }
        inverse += 1;
    }
    enforce_copies(schema, model);
}

/// Judges the models of copies. An `external` copy is not judged: the source may belong to another program.
#[track_caller]
const fn enforce_copies<const N: usize>(schema: &SchemaIndex<N>, model: &ModelDefinition) {
    let mut at = 0;
    while at < model.copied_to.len() {
        let copied = &model.copied_to[at];
        if schema.find(copied.holder.name).is_none() {
            missing(model.model, copied.field, " is copied to ", copied.holder.name)
        }
        at += 1;
    }
    let mut at = 0;
    while at < model.copies.len() {
        enforce_copy(schema, model, model.copies[at].field, &model.copies[at]);
        at += 1;
    }
    let mut at = 0;
    while at < model.fields.len() {
        let field = &model.fields[at];
        let mut number = 0;
        while let Some(place) = copy_inside(&field.shape, number) {
            enforce_copy(schema, model, field.rust_name, place.copy);
            number += 1;
        }
        at += 1;
    }
}

#[track_caller]
const fn enforce_copy<const N: usize>(
    schema: &SchemaIndex<N>,
    model: &ModelDefinition,
    field: &str,
    copy: &CopyDefinition,
) {
    let source = copy.source.target.name;
    if !matches!(copy.mode, CopyMode::External) && schema.find(source).is_none() {
        missing(model.model, field, " holds a copy of a field of ", source)
    }
}

#[track_caller]
const fn missing(model: &str, field: &str, what: &str, name: &'static str) -> ! {
    let name = last_segment(name);
    Message::new()
        .field(model, &[field])
        .text(what)
        .code(name)
        .text(", which this schema does not list\nhelp: add it: `schema![.., ")
        .text(name)
        .text("]`\nrule: incomplete_schema")
        .fail()
}

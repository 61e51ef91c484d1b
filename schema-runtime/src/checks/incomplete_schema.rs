//! Rule: `incomplete_schema`
//!
//! A schema lists every model that a listed one refers to, each once: what is missing would get no collection, no validator
//! and no index, and its dangling references would not be looked for.
//!
//! Source: MongoEngine's delete rules, which do not fire for a class that is not loaded.

use crate::definition::{Message, ModelDefinition, str_eq};

#[track_caller]
pub(super) const fn enforce(models: &[&'static ModelDefinition], at: usize) {
    let model = models[at];
    let mut earlier = 0;
    while earlier < at {
        if str_eq(models[earlier].name, model.name) {
            Message::new()
                .code(model.model)
                .text(" is listed twice in this schema\nhelp: list it once\nrule: incomplete_schema")
                .fail()
        }
        earlier += 1;
    }
    let mut relation = 0;
    while relation < model.relations.len() {
        if let Some(target) = &model.relations[relation].target
            && !lists(models, target.name)
        {
            let name = last_segment(target.name);
            Message::new()
                .text("`")
                .text(model.model)
                .text(".")
                .text(model.relations[relation].field)
                .text("` refers to ")
                .code(name)
                .text(", which this schema does not list\nhelp: add it: `schema![.., ")
                .text(name)
                .text("]`\nrule: incomplete_schema")
                .fail()
        }
        relation += 1;
    }
}

const fn lists(models: &[&ModelDefinition], name: &str) -> bool {
    let mut at = 0;
    while at < models.len() {
        if str_eq(models[at].name, name) {
            return true;
        }
        at += 1;
    }
    false
}

/// `Part` of `store::Part`.
pub(super) const fn last_segment(name: &'static str) -> &'static str {
    let bytes = name.as_bytes();
    let mut at = bytes.len();
    while at > 0 && bytes[at - 1] != b':' {
        at -= 1;
    }
    name.split_at(at).1
}

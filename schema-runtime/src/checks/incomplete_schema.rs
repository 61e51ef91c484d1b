//! Rule: `incomplete_schema`
//!
//! A schema lists every model that a listed one refers to, each once: what is missing would get no collection, no validator
//! and no index, and its dangling references would not be looked for.
//!
//! Source: MongoEngine's delete rules, which do not fire for a class that is not loaded.

use crate::{
    definition::{Message, ModelDefinition, str_eq},
    model::Model,
};

/// Model number `at` of a schema, which is `M`.
#[track_caller]
pub const fn incomplete_schema<M: Model>(models: &[&ModelDefinition], at: usize) {
    let mut earlier = 0;
    while earlier < at {
        if str_eq(models[earlier].name, M::NAME) {
            Message::new()
                .code(M::DEFINITION.model)
                .text(" is listed twice in this schema\nhelp: list it once\nrule: incomplete_schema")
                .fail()
        }
        earlier += 1;
    }
    let mut relation = 0;
    while relation < M::RELATIONS.len() {
        if let Some(target) = &M::RELATIONS[relation].target
            && !lists(models, target.name)
        {
            let name = last_segment(target.name);
            Message::new()
                .text("`")
                .text(M::DEFINITION.model)
                .text(".")
                .text(M::RELATIONS[relation].field)
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

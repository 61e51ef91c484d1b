//! Rule: `reference_cycle`
//!
//! Models do not need each other in a circle: where each document of one must refer to one of the other and the other way round, none can be
//! inserted first without a reference to what is not there. One of the references is an `Option`, which is set when both are there, or
//! may dangle (`#[reference(may_dangle)]`). A model that refers to itself is left alone: the first document refers to itself. `allow(reference_cycle,
//! reason = "..")` in the `#[model(..)]` of one of them silences it.
//!
//! Source: what SQL calls a circular foreign key, for which its databases have deferred constraints; MongoDB has neither.

use crate::definition::{Allow, Message, ModelDefinition, find, str_eq};

const ID: &str = "reference_cycle";

/// The most models of a schema that are looked at.
const MOST: usize = 256;

/// Nobody.
const NONE: usize = usize::MAX;

/// The shortest circle through model number `at` of a schema, reported at the first of its models.
#[track_caller]
pub(super) const fn enforce(models: &[&'static ModelDefinition], at: usize) {
    if at >= MOST || Allow::any(models[at].allows, ID) {
        return;
    }
    // Breadth first; of each model that is reached, by which one.
    let mut from = [NONE; MOST];
    let mut queue = [NONE; MOST];
    let (mut next, mut end) = (0, 1);
    queue[0] = at;
    while next < end {
        let model = queue[next];
        next += 1;
        // Each circle is reported at the first of its models.
        let mut to = at;
        while to < models.len() && to < MOST {
            if to != model && !Allow::any(models[to].allows, ID) && needs(models[model], models[to]).is_some() {
                if to == at {
                    fail(models, at, model, &from);
                }
                if from[to] == NONE {
                    from[to] = model;
                    queue[end] = to;
                    end += 1;
                }
            }
            to += 1;
        }
    }
}

/// The circle that ends with `last`, which needs the first.
#[track_caller]
const fn fail(models: &[&'static ModelDefinition], first: usize, last: usize, from: &[usize; MOST]) -> ! {
    // From the last to the first, as `from` leads.
    let (mut message, mut to) = (need(Message::new(), models[last], models[first]), last);
    while to != first {
        message = need(message.text(", and "), models[from[to]], models[to]);
        to = from[to];
    }
    message
        .text(": none of them can be inserted first\nhelp: make one of these fields an `Option`, and set it when both are there; or give a reason: `#[model(.., allow(reference_cycle, reason = \"..\"))]`\nrule: reference_cycle")
        .fail()
}

const fn need(message: Message, model: &ModelDefinition, other: &ModelDefinition) -> Message {
    match needs(model, other) {
        Some(field) => message.field(model.model, &[field]).text(" needs ").code(other.model),
        None => message,
    }
}

/// The field by which every document of the one refers to one of the other.
const fn needs(model: &ModelDefinition, other: &ModelDefinition) -> Option<&'static str> {
    let mut at = 0;
    while at < model.relations.len() {
        let relation = &model.relations[at];
        if let (Some(target), Some(field)) = (&relation.target, find(model.fields, relation.field))
            && str_eq(target.name, other.name)
            && !relation.is_array()
            && field.required
            && !field.may_dangle
        {
            return Some(relation.field);
        }
        at += 1;
    }
    None
}

//! Rule: `reference_cycle`
//!
//! Models do not need each other in a circle. When each document of a model must refer to a document of a second model and vice versa, no
//! document can be inserted first without a dangling reference. At least one reference is an `Option`, set when both documents exist, or
//! may dangle (`#[reference(may_dangle)]`). The rule ignores a model that refers to itself: the first document refers to itself.
//! `allow(reference_cycle, reason = "..")` in the `#[model(..)]` of a model of the circle silences the rule.
//!
//! Source: SQL calls the mistake a circular foreign key, and SQL databases have deferred constraints for the mistake; MongoDB has neither
//! foreign keys nor deferred constraints.

use crate::{
    checks::schema_index::{Edge, SchemaIndex, Step, is_needed},
    definition::{Allow, Message, ModelDefinition, str_eq},
};

const ID: &str = "reference_cycle";

/// The mark for no model.
const NONE: usize = usize::MAX;

/// Reports the shortest circle through model number `at` of a schema, at the first model of the circle.
#[track_caller]
pub(in crate::checks) const fn enforce<const N: usize>(schema: &SchemaIndex<N>, at: usize) {
    if !schema.has_reference_circle || Allow::any(schema.models[at].allows, ID) {
        return;
    }
    // The search is breadth first. For each reached model, `from` holds the model before.
    let (mut from, mut queue) = ([NONE; N], [NONE; N]);
    let (mut next, mut end) = (0, 1);
    queue[0] = at;
    while next < end {
        let model = queue[next];
        next += 1;
        if needs(schema.models[model], schema.models[at]).is_some() && model != at {
            fail(schema, at, model, &from)
        }
        let mut number = 0;
        loop {
            match schema.step(Edge::Need, model, number) {
                // Each circle is reported at the first model of the circle.
                Step::To(to) if to > at && from[to] == NONE => {
                    from[to] = model;
                    queue[end] = to;
                    end += 1;
                }
                Step::To(_) | Step::Nowhere => {}
                Step::End => break,
            }
            number += 1;
        }
    }
}

/// Reports the circle that ends with `last`, which needs the first model.
#[track_caller]
const fn fail<const N: usize>(schema: &SchemaIndex<N>, first: usize, last: usize, from: &[usize; N]) -> ! {
    // The message goes from the last model to the first, as `from` leads.
    let models = &schema.models;
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

/// Returns the field by which every document of the model refers to a document of the other model.
const fn needs(model: &ModelDefinition, other: &ModelDefinition) -> Option<&'static str> {
    let mut at = 0;
    while at < model.relations.len() {
        let relation = &model.relations[at];
        if let Some(target) = &relation.target
            && str_eq(target.name, other.name)
            && is_needed(model, relation)
        {
            return Some(relation.field);
        }
        at += 1;
    }
    None
}

//! Rule: `reference_cycle`. The page is `guide/pages/rules/reference_cycle.md`.

use crate::{
    checks::schema_index::{Edge, SchemaIndex, Step, is_needed},
    definition::{Allow, ModelDefinition, Text, each, refuse, str_eq, text},
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
    let (mut circle, mut to) = (need(models[last], models[first]), last);
    while to != first {
        circle.push(", and ");
        circle.push(need(models[from[to]], models[to]).as_str());
        to = from[to];
    }
    refuse! {
        "{}: no document can be inserted first", circle.as_str();
        help: "make a field of the circle an `Option`, and set the field when both documents exist; or give a reason: `#[model(.., allow(reference_cycle, reason = \"..\"))]`"
    }
}

const fn need(model: &ModelDefinition, other: &ModelDefinition) -> Text {
    match needs(model, other) {
        Some(field) => text!("`{}.{}` needs `{}`", model.model, field, other.model),
        None => text!(""),
    }
}

/// Returns the field by which every document of the model refers to a document of the other model.
const fn needs(model: &ModelDefinition, other: &ModelDefinition) -> Option<&'static str> {
    each!(for relation in model.relations {
        if let Some(target) = &relation.target
            && str_eq(target.name, other.name)
            && is_needed(model, relation)
        {
            return Some(relation.field);
        }
    });
    None
}

//! Rule: `unused_index`. The page is `guide/pages/rules/unused_index.md`.

use super::redundant_index;
use crate::{
    errors::Errors,
    model::{Direction, Index, Model, Need, Origin},
};

const ID: &str = "unused_index";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    // After another mistake a query may be missing.
    if !errors.is_empty() || model.queries.is_empty() || model.allows.iter().any(|allow| allow.rule == ID) {
        return;
    }
    let needs: Vec<Need<'_>> = model.queries.iter().filter_map(|query| Need::of(query, &model.record)).collect();
    for (at, index) in model.indexes.iter().enumerate() {
        let Origin::Declared(word) = &index.origin else { continue };
        if redundant_index::longer(model, at).is_some() {
            continue;
        }
        if is_for_reads(index)
            && !follows_a_reference(model, index)
            && !needs.iter().any(|need| need.is_served_by(index))
        {
            errors.rule(
                word,
                ID,
                &format!("no query of `{}` needs this index, and each write of a document updates the index", model.record.ident),
                "remove the index, or declare a query that needs the index; or give a reason: `#[model(.., allow(unused_index, reason = \"..\"))]`",
            );
        }
    }
}

/// Returns whether the index does nothing but serve reads of a kind that queries say.
fn is_for_reads(index: &Index) -> bool {
    let is_ordered = |direction| matches!(direction, Direction::Ascending | Direction::Descending);
    index.unique.is_none()
        && index.hidden.is_none()
        && index.sparse.is_none()
        && index.partial.is_empty()
        && index.ttl.is_none()
        && index.keys.iter().all(|key| is_ordered(key.direction))
}

/// Returns whether the index begins with a field that a relation, a copy or another model reads by.
fn follows_a_reference(model: &Model, index: &Index) -> bool {
    let Some(first) = index.keys.first().and_then(|key| key.path.first()) else { return false };
    if model.record.flat(first).is_some() {
        return false;
    }
    let mut fields = model.record.fields.iter();
    let Some(field) = fields.find(|field| field.rust_name == *first) else { return true };
    let copies = || model.record.fields.iter().filter_map(|field| field.copy.as_ref());
    field.relation().is_some() || copies().any(|copy| copy.reference == *first)
}

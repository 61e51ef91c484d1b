//! Rule: `view_pipeline`
//!
//! The half of the rule that knows the fields of the source.

use crate::{
    checks::fields::{field_type, hidden_field, unknown_field},
    definition::CollectionKind,
    model::Model,
};

/// Judges field number `at` of the view `V` of the source `S`.
#[track_caller]
pub const fn view_field<V: Model, S: Model>(at: usize) {
    let (field, source) = (&V::FIELDS[at], S::DEFINITION);
    if source.whole {
        let stored = unknown_field::enforce_projection(source, V::STRUCT, field);
        hidden_field::enforce_projection(V::STRUCT, field, stored);
        field_type::enforce_projection(source, field, stored);
    }
}

/// Judges condition number `at` of the view `V` of the source `S`.
#[track_caller]
pub const fn view_clause<V: Model, S: Model>(at: usize) {
    let CollectionKind::View(view) = &V::DEFINITION.options.kind else { return };
    let (clause, source) = (&view.filter[at], S::DEFINITION);
    if source.whole {
        let path = unknown_field::enforce(source, clause.path);
        field_type::enforce_literal(clause, &path);
    }
}

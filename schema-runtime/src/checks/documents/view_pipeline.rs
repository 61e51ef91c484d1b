//! Rule: `view_pipeline`. The page is `guide/pages/rules/view_pipeline.md`.
//!
//! The half of the rule that knows the fields of the source. A view of an aggregation has each value of the result; the
//! time zone of a period stands in the key, and the aggregation has a key.

mod groups;

pub use groups::{view_flat_value, view_groups, view_key, view_renamed_value, view_value};

use crate::{
    checks::fields::{field_type, flat_field, hidden_field, unknown_field},
    definition::{
        CollectionKind, FieldDefinition, Kind, ModelDefinition, RenamedField, ViewDefinition, dotted, each, find,
        find_flat, refuse,
    },
    model::Model,
};

/// Judges the source `S` of a view.
#[track_caller]
pub const fn view_source<S: Model>() {
    let source = S::DEFINITION;
    if source.bucket.is_some() {
        refuse! {
            "`{}` is stored in buckets, and a document of the collection holds many values of `{}`",
                source.model, source.model;
            help: "name a model whose values are separate documents"
        }
    }
}

/// Judges field number `at` of the view `V` of the source `S`.
#[track_caller]
pub const fn view_field<V: Model, S: Model>(at: usize) {
    judge(V::STRUCT, &V::FIELDS[at], S::DEFINITION);
}

/// Judges field number `at` of the view `V`, a field of the source `S` by renaming number `number`.
#[track_caller]
pub const fn view_renamed_field<V: Model, S: Model>(at: usize, number: usize) {
    judge_renamed::<V>(at, number, S::DEFINITION);
}

/// Judges the fields of the flat field `name` of the view `V` of the source `S`.
#[track_caller]
pub const fn view_flat_field<V: Model, S: Model>(name: &'static str) {
    judge_flat::<V>(name, S::DEFINITION);
}

/// Judges condition number `at` of the view `V` of the source `S`.
#[track_caller]
pub const fn view_clause<V: Model, S: Model>(at: usize) {
    let (clause, source) = (&view_of::<V>().filter[at], S::DEFINITION);
    if is_judged(source) {
        let path = unknown_field::enforce(source, clause.path);
        field_type::enforce_literal(clause, &path);
    }
}

const fn view_of<V: Model>() -> &'static ViewDefinition {
    match &V::DEFINITION.options.kind {
        CollectionKind::View(view) => view,
        _ => panic!("the derive calls these functions for views"),
    }
}

/// Returns whether the fields of the source are known, and are fields of the documents.
const fn is_judged(source: &ModelDefinition) -> bool {
    source.whole && source.bucket.is_none()
}

#[track_caller]
const fn judge(view: &str, field: &FieldDefinition, source: &ModelDefinition) {
    if is_judged(source) {
        let stored = unknown_field::enforce_projection(source, view, field);
        judge_read(view, field, source, stored);
    }
}

#[track_caller]
const fn judge_read(view: &str, field: &FieldDefinition, source: &ModelDefinition, stored: &FieldDefinition) {
    hidden_field::enforce_projection(view, field, stored);
    field_type::enforce_projection(source, field, stored);
}

#[track_caller]
const fn judge_flat<V: Model>(name: &'static str, source: &ModelDefinition) {
    each!(for field in V::FIELDS {
        if flat_field::is_of(field, name) {
            judge(V::STRUCT, field, source);
        }
    });
}

#[track_caller]
const fn judge_renamed<V: Model>(at: usize, number: usize, source: &ModelDefinition) {
    if is_judged(source) {
        let stored = enforce_path(source, &view_of::<V>().renamed[number]);
        judge_read(V::STRUCT, &V::FIELDS[at], source, &stored);
    }
}

/// Returns the field of the source at the end of the path: null where a struct above the field may be null.
#[track_caller]
const fn enforce_path(source: &ModelDefinition, renamed: &RenamedField) -> FieldDefinition {
    let path = unknown_field::enforce(source, renamed.from);
    if path.array_at > 0 && path.array_at < renamed.from.len() {
        let (array, _) = renamed.from.split_at(path.array_at);
        refuse! {
            "`{}.{}` is an array, and `{}` has a single value", source.model, dotted(array).as_str(), renamed.field;
            help: "show the whole array, or a field outside of the array"
        }
    }
    let Some(field) = last_of(source.fields, renamed.from) else { panic!("the path is resolved") };
    let shape = if path.optional { field.shape.nullable() } else { field.shape };
    FieldDefinition { shape, ..field }
}

/// Returns the last field of a resolved path; hidden where a field above is hidden.
const fn last_of(fields: &'static [FieldDefinition], path: &[&str]) -> Option<FieldDefinition> {
    let ([name], rest) = path.split_at(1) else { return None };
    if let Some(flat) = find_flat(fields, name) {
        return last_of(flat.shape.fields(), rest);
    }
    let Some(field) = find(fields, name) else { return None };
    if rest.is_empty() {
        return Some(*field);
    }
    let Kind::Document { fields: inner, .. } = field.shape.kind else { return None };
    match last_of(inner, rest) {
        Some(last) if field.hidden => Some(FieldDefinition { hidden: true, ..last }),
        found => found,
    }
}

//! The documents from which an aggregation computes its values.

use super::{
    aggregate_field, aggregate_top, aggregate_type, aggregate_unwind,
    source::{self, Source},
};
use crate::definition::{ModelDefinition, Shape, Term, Test, ValueKind, each};

/// The documents of a model, or the elements of an array.
#[derive(Clone, Copy)]
pub(super) struct Documents {
    pub(super) model: &'static ModelDefinition,
    pub(super) unwind: &'static [&'static [&'static str]],
}

impl Documents {
    /// Returns the field at a path of the documents.
    #[track_caller]
    pub(super) const fn field(self, path: &'static [&'static str]) -> Source {
        aggregate_field::enforce(self.model, path);
        aggregate_unwind::enforce(self.model, self.unwind, path);
        match source::find(self.model, self.unwind, path) {
            Some(source) => source,
            None => Source { shape: Shape::opaque(0), optional: true },
        }
    }

    /// Judges the fields in a value.
    #[track_caller]
    pub(super) const fn enforce_value(self, kind: &ValueKind) {
        match kind {
            ValueKind::Count(None) | ValueKind::Top { .. } | ValueKind::Lookup { .. } => {}
            ValueKind::Count(Some(condition)) | ValueKind::Any(condition) | ValueKind::All(condition) => {
                self.test(condition);
            }
            ValueKind::CountDistinct { path, .. }
            | ValueKind::Collect { path, .. }
            | ValueKind::First { path, .. }
            | ValueKind::Last { path, .. } => {
                aggregate_type::enforce_single(self.model, path, &self.field(path));
            }
            ValueKind::Sum(of) | ValueKind::Avg(of) | ValueKind::StdDev(of) => self.term(of, true),
            ValueKind::Min(of) | ValueKind::Max(of) => self.term(of, false),
        }
    }

    /// Judges key number `key` of the order of a value.
    #[track_caller]
    pub(super) const fn enforce_order(self, kind: &ValueKind, key: usize) {
        if let ValueKind::First { order, .. } | ValueKind::Last { order, .. } | ValueKind::Top { order, .. } = kind {
            let source = self.field(order[key].path);
            aggregate_top::enforce_order(self.model, order[key].path, &source);
        }
    }

    /// Judges the fields of a term. `numbers`: the value is a number.
    #[track_caller]
    const fn term(self, of: &Term, numbers: bool) {
        match of {
            Term::Field(path) => {
                let source = self.field(path);
                if numbers {
                    aggregate_type::enforce_number(self.model, path, &source);
                } else {
                    aggregate_type::enforce_single(self.model, path, &source);
                }
            }
            Term::Number(_) => {}
            Term::Or(first, second) => {
                self.term(first, true);
                self.term(second, true);
            }
            Term::Operation(_, left, right) => {
                self.term(left, true);
                self.term(right, true);
                aggregate_type::enforce_present(self.model, self.unwind, left);
                aggregate_type::enforce_present(self.model, self.unwind, right);
            }
        }
    }

    #[track_caller]
    const fn test(self, of: &Test) {
        match of {
            Test::Compare { path, value, .. } => {
                let source = self.field(path);
                aggregate_type::enforce_compared(self.model, path, &source, *value);
            }
            Test::IsNull(path) => {
                let _ = self.field(path);
            }
            Test::Every(tests) | Test::Some(tests) => {
                let tests: &[Test] = tests;
                each!(for inner in tests {
                    self.test(inner);
                });
            }
            Test::Not(inner) => self.test(inner),
        }
    }
}

//! One group: the `$group`, the names of the result, and the group of no documents. Pure.

use mongodb::bson::{Bson, Document, doc};

use super::{
    expression::{field, inner, key, or_null, term, test},
    order,
};
use crate::definition::{Direction, Groups, IndexKey, KeyDefinition, Kind, Scalar, Term, ValueDefinition, ValueKind};

impl Groups {
    pub(super) fn values(&self) -> impl Iterator<Item = (String, &ValueDefinition)> {
        let values = self.definition.values.iter().enumerate();
        values.map(|(at, value)| (inner('v', at), value))
    }

    /// Returns whether the `_id` of a group is the only key: the server groups by a value about a fifth faster than by
    /// a document with the value. Added periods need the document.
    fn has_plain_key(&self) -> bool {
        self.definition.keys.len() == 1 && !self.definition.fill
    }

    /// Returns a name that no field of the result has: the given name, or the name with underscores.
    pub(in crate::aggregate) fn free_name(&self, mut name: String) -> String {
        while self.fields.iter().any(|field| field.name == name) {
            name.push('_');
        }
        name
    }

    /// Returns the operand of the `$group`. Sorted documents need no order in the group.
    pub(super) fn group(&self, zone: &str, is_sorted: bool) -> Document {
        let expression = |of: &KeyDefinition| key((self.documents)(), of, zone);
        let keys = self.definition.keys;
        let key: Bson = match keys {
            [] => Bson::Null,
            [only] if self.has_plain_key() => expression(only),
            keys => Bson::Document(keys.iter().enumerate().map(|(at, of)| (inner('k', at), expression(of))).collect()),
        };
        let mut group = doc! { "_id": key };
        for (name, value) in self.values() {
            if let Some(accumulator) = self.accumulator(&value.kind, is_sorted) {
                group.insert(name, accumulator);
            }
        }
        group
    }

    /// Returns the accumulator of a value; `None` for a value that is no value of the group.
    pub(super) fn accumulator(&self, kind: &ValueKind, is_sorted: bool) -> Option<Document> {
        let model = (self.documents)();
        Some(match kind {
            ValueKind::Count(None) => doc! { "$sum": 1 },
            ValueKind::Count(Some(condition)) => doc! { "$sum": { "$cond": [test(model, condition), 1, 0] } },
            ValueKind::CountDistinct { path, .. } => doc! { "$addToSet": field(model, path) },
            ValueKind::Sum(of) => doc! { "$sum": term(model, of) },
            ValueKind::Avg(of) => doc! { "$avg": term(model, of) },
            ValueKind::Min(of) => doc! { "$min": term(model, of) },
            ValueKind::Max(of) => doc! { "$max": term(model, of) },
            ValueKind::StdDev(of) => doc! { "$stdDevPop": term(model, of) },
            ValueKind::First { path, .. } | ValueKind::Last { path, .. } if is_sorted => {
                doc! { "$first": or_null(model, path) }
            }
            ValueKind::First { path, order } => {
                doc! { "$top": { "sortBy": self.order(order), "output": or_null(model, path) } }
            }
            ValueKind::Last { path, order } => {
                doc! { "$bottom": { "sortBy": self.order(order), "output": or_null(model, path) } }
            }
            ValueKind::Top { most, order, fields } => {
                let output: Document =
                    fields.iter().map(|field| (field.name.to_owned(), format!("${}", field.name).into())).collect();
                if is_sorted {
                    return Some(doc! { "$first": output });
                }
                doc! { "$topN": { "n": *most as i64, "sortBy": self.order(order), "output": output } }
            }
            ValueKind::Collect { path, max } => {
                doc! { "$firstN": { "n": *max as i64, "input": or_null(model, path) } }
            }
            ValueKind::Any(condition) => doc! { "$max": { "$cond": [test(model, condition), true, false] } },
            ValueKind::All(condition) => doc! { "$min": { "$cond": [test(model, condition), true, false] } },
            ValueKind::Lookup { .. } => return None,
        })
    }

    /// Returns an order without ties: equal documents have the order of `_id`, in the direction of the last key.
    fn order(&self, keys: &[IndexKey]) -> Document {
        let Some(of) = self.of else { return order::whole((self.documents)(), keys).sort() };
        let direction = |key: &IndexKey| if key.direction == Direction::Descending { -1 } else { 1 };
        let mut order: Document =
            keys.iter().map(|key| ((self.documents)().stored_path(key.path), Bson::Int32(direction(key)))).collect();
        // A row of a parent has the `_id` of the parent. A group has no `_id`: the keys of a group name the group.
        if of.definition.is_of_parents() {
            order.entry("_id".to_owned()).or_insert(Bson::Int32(1));
        }
        for key in of.definition.keys {
            order.entry(of.fields[key.field].name.to_owned()).or_insert(Bson::Int32(1));
        }
        order
    }

    /// Returns the group of no documents.
    pub(super) fn empty_group(&self) -> Document {
        let mut group = doc! { "_id": null };
        for (name, value) in self.values() {
            if let Some(empty) = empty(&value.kind) {
                group.insert(name, empty);
            }
        }
        group
    }

    /// Returns the operand of the `$project` that gives the keys and the values their names in the result.
    pub(super) fn result(&self, is_sorted: bool) -> Document {
        let mut result = doc! { "_id": 0 };
        for (at, key) in self.definition.keys.iter().enumerate() {
            let stored = if self.has_plain_key() { "$_id".to_owned() } else { format!("$_id.{}", inner('k', at)) };
            result.insert(self.fields[key.field].name, stored);
        }
        for (name, value) in self.values() {
            if let Some(shown) = self.shown(&name, value, is_sorted) {
                result.insert(self.fields[value.field].name, shown);
            }
        }
        result
    }

    /// Returns the value of the result, of the value `name` of a group; `None` for a value that is no value of the
    /// group.
    pub(super) fn shown(&self, name: &str, value: &ValueDefinition, is_sorted: bool) -> Option<Bson> {
        let stored = format!("${name}");
        Some(match value.kind {
            ValueKind::Lookup { .. } => return None,
            ValueKind::CountDistinct { max, .. } => {
                doc! { "$min": [count_values(&stored), { "$literal": max as i64 }] }.into()
            }
            ValueKind::Top { .. } if is_sorted => Bson::Array(vec![stored.into()]),
            // Of no decimals the server answers an integer.
            ValueKind::Sum(_) if self.is_decimal(value) => doc! { "$toDecimal": stored }.into(),
            // The number of an `or(..)` may be the value of each document.
            ValueKind::Avg(Term::Or(..) | Term::Operation(..))
            | ValueKind::Min(Term::Or(..) | Term::Operation(..))
            | ValueKind::Max(Term::Or(..) | Term::Operation(..))
                if self.is_decimal(value) =>
            {
                doc! { "$toDecimal": stored }.into()
            }
            _ => stored.into(),
        })
    }

    /// Returns whether the field of a value is a decimal.
    pub(super) fn is_decimal(&self, value: &ValueDefinition) -> bool {
        matches!(self.fields[value.field].shape.kind, Kind::Scalar(Scalar::Decimal128))
    }
}

/// Returns the expression that counts the values of a set, without null: the set has null when a field is null.
fn count_values(set: &str) -> Document {
    doc! { "$subtract": [{ "$size": set }, { "$cond": [{ "$in": [null, set] }, 1, 0] }] }
}

/// Returns the value of a group of no documents; `None` for a value that is no value of the group.
pub(super) fn empty(kind: &ValueKind) -> Option<Bson> {
    Some(match kind {
        ValueKind::Count(_) | ValueKind::Sum(_) => Bson::Int32(0),
        ValueKind::CountDistinct { .. } | ValueKind::Top { .. } | ValueKind::Collect { .. } => Bson::Array(Vec::new()),
        ValueKind::Any(_) => Bson::Boolean(false),
        ValueKind::All(_) => Bson::Boolean(true),
        ValueKind::Avg(_)
        | ValueKind::Min(_)
        | ValueKind::Max(_)
        | ValueKind::StdDev(_)
        | ValueKind::First { .. }
        | ValueKind::Last { .. } => Bson::Null,
        ValueKind::Lookup { .. } => return None,
    })
}

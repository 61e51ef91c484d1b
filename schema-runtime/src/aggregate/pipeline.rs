//! The pipeline of an aggregation, made from the definition of the result. Pure.

use mongodb::bson::{Bson, Document, doc};

use super::expression::{field, key, or_null, term, test};
use crate::definition::{
    AggregateDefinition, Direction, FieldDefinition, IndexKey, Kind, ModelDefinition, Scalar, ValueDefinition,
    ValueKind,
};

/// The parts of an aggregation: the model, the fields of the result, and the keys and values.
pub(super) struct Parts<'a> {
    pub(super) model: &'a ModelDefinition,
    pub(super) fields: &'a [FieldDefinition],
    pub(super) definition: &'a AggregateDefinition,
}

/// The conditions, the order and the size of the result.
#[derive(Clone, Default)]
pub(super) struct Asked {
    pub(super) filter: Document,
    pub(super) having: Document,
    pub(super) sort: Document,
    pub(super) skip: u64,
    pub(super) limit: u64,
}

/// Returns the stages of the aggregation.
pub(super) fn stages(parts: &Parts<'_>, asked: Asked) -> Vec<Document> {
    let stage = |name: &str, part: Document| (!part.is_empty()).then(|| doc! { name: part });
    let mut stages: Vec<Document> = stage("$match", asked.filter).into_iter().collect();
    for path in parts.definition.unwind {
        stages.push(doc! { "$unwind": field(parts.model, path) });
    }
    stages.push(doc! { "$group": parts.group() });
    if parts.definition.keys.is_empty() {
        // Of no documents the server makes no group. A `$facet` always gives a document, also in a transaction.
        stages.push(doc! { "$facet": { "groups": [{ "$limit": 1 }] } });
        let empty = doc! { "$literal": parts.empty_group() };
        stages.push(doc! { "$replaceWith": { "$ifNull": [{ "$first": "$groups" }, empty] } });
    }
    stages.push(doc! { "$project": parts.result() });
    stages.extend(stage("$match", asked.having));
    stages.extend(stage("$sort", asked.sort));
    stages.extend((asked.skip > 0).then(|| doc! { "$skip": asked.skip as i64 }));
    stages.extend((asked.limit > 0).then(|| doc! { "$limit": asked.limit as i64 }));
    stages.extend(parts.lookups());
    stages
}

/// Returns the name of a key or a value inside of the pipeline.
fn inner(kind: char, at: usize) -> String {
    format!("{kind}{at}")
}

impl Parts<'_> {
    fn values(&self) -> impl Iterator<Item = (String, &ValueDefinition)> {
        let values = self.definition.values.iter().enumerate();
        values.map(|(at, value)| (inner('v', at), value))
    }

    /// Returns the operand of the `$group`.
    fn group(&self) -> Document {
        let keys = self.definition.keys.iter().enumerate();
        let keys: Document = keys.map(|(at, of)| (inner('k', at), key(self.model, of))).collect();
        let mut group = Document::new();
        group.insert("_id", if keys.is_empty() { Bson::Null } else { keys.into() });
        for (name, value) in self.values() {
            if let Some(accumulator) = self.accumulator(&value.kind) {
                group.insert(name, accumulator);
            }
        }
        group
    }

    /// Returns the accumulator of a value; `None` for a value that is no value of the group.
    fn accumulator(&self, kind: &ValueKind) -> Option<Document> {
        let model = self.model;
        let present = |path: &[&str]| doc! { "$ifNull": [field(model, path), "$$REMOVE"] };
        Some(match kind {
            ValueKind::Count(None) => doc! { "$sum": 1 },
            ValueKind::Count(Some(condition)) => doc! { "$sum": { "$cond": [test(model, condition), 1, 0] } },
            ValueKind::CountDistinct { path, .. } => doc! { "$addToSet": present(path) },
            ValueKind::Sum(of) => doc! { "$sum": term(model, of) },
            ValueKind::Avg(of) => doc! { "$avg": term(model, of) },
            ValueKind::Min(of) => doc! { "$min": term(model, of) },
            ValueKind::Max(of) => doc! { "$max": term(model, of) },
            ValueKind::StdDev(of) => doc! { "$stdDevPop": term(model, of) },
            ValueKind::First { path, order } => {
                doc! { "$top": { "sortBy": self.order(order), "output": or_null(model, path) } }
            }
            ValueKind::Last { path, order } => {
                doc! { "$bottom": { "sortBy": self.order(order), "output": or_null(model, path) } }
            }
            ValueKind::Top { most, order, fields } => {
                let output: Document =
                    fields.iter().map(|field| (field.name.to_owned(), format!("${}", field.name).into())).collect();
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

    /// Returns an order, with `_id` as the last key: equal documents have one order.
    fn order(&self, keys: &[IndexKey]) -> Document {
        let direction = |key: &IndexKey| if key.direction == Direction::Descending { -1 } else { 1 };
        let mut order: Document =
            keys.iter().map(|key| (self.model.stored_path(key.path), Bson::Int32(direction(key)))).collect();
        if !order.contains_key("_id") {
            order.insert("_id", 1);
        }
        order
    }

    /// Returns the group of no documents.
    fn empty_group(&self) -> Document {
        let mut group = doc! { "_id": null };
        for (name, value) in self.values() {
            let empty = match value.kind {
                ValueKind::Count(_) | ValueKind::Sum(_) => Bson::Int32(0),
                ValueKind::CountDistinct { .. } | ValueKind::Top { .. } | ValueKind::Collect { .. } => {
                    Bson::Array(Vec::new())
                }
                ValueKind::Any(_) => Bson::Boolean(false),
                ValueKind::All(_) => Bson::Boolean(true),
                ValueKind::Avg(_)
                | ValueKind::Min(_)
                | ValueKind::Max(_)
                | ValueKind::StdDev(_)
                | ValueKind::First { .. }
                | ValueKind::Last { .. } => Bson::Null,
                ValueKind::Lookup { .. } => continue,
            };
            group.insert(name, empty);
        }
        group
    }

    /// Returns the operand of the `$project` that gives the keys and the values their names in the result.
    fn result(&self) -> Document {
        let mut result = doc! { "_id": 0 };
        for (at, key) in self.definition.keys.iter().enumerate() {
            result.insert(self.fields[key.field].name, format!("$_id.{}", inner('k', at)));
        }
        for (name, value) in self.values() {
            let of = &self.fields[value.field];
            let stored = format!("${name}");
            let value: Bson = match value.kind {
                ValueKind::Lookup { .. } => continue,
                ValueKind::CountDistinct { max, .. } => {
                    doc! { "$min": [{ "$size": stored }, { "$literal": max as i64 }] }.into()
                }
                // Of no decimals the server answers an integer.
                ValueKind::Sum(_) if matches!(of.shape.kind, Kind::Scalar(Scalar::Decimal128)) => {
                    doc! { "$toDecimal": stored }.into()
                }
                _ => stored.into(),
            };
            result.insert(of.name, value);
        }
        result
    }

    /// Returns the stages that read the fields of the documents that keys refer to: a `$lookup` for each key.
    fn lookups(&self) -> Vec<Document> {
        let mut stages = Vec::new();
        for (at, key) in self.definition.keys.iter().enumerate() {
            let of_key = |value: &ValueDefinition| match value.kind {
                ValueKind::Lookup { key: name, path, target } if name == self.fields[key.field].rust_name => {
                    Some((value.field, path, (target.definition)()))
                }
                _ => None,
            };
            let wanted: Vec<_> = self.definition.values.iter().filter_map(of_key).collect();
            let Some((_, _, target)) = wanted.first() else { continue };
            let (found, reference) = (inner('l', at), format!("${}", self.fields[key.field].name));
            let value = |number: usize, path: &[&str]| (inner('v', number), field(target, path));
            let read = wanted.iter().enumerate().map(|(number, (_, path, _))| value(number, path));
            let read: Document = [("_id".to_owned(), Bson::Int32(0))].into_iter().chain(read).collect();
            stages.push(doc! { "$lookup": {
                "from": target.collection,
                "localField": self.fields[key.field].name,
                "foreignField": "_id",
                "pipeline": [{ "$project": read }],
                "as": &found,
            } });
            let is_null = doc! { "$eq": [reference, null] };
            let set = wanted.iter().enumerate().map(|(number, (field, _, _))| {
                let first = doc! { "$ifNull": [{ "$first": format!("${found}.{}", inner('v', number)) }, null] };
                let value = doc! { "$cond": [is_null.clone(), null, first] };
                (self.fields[*field].name.to_owned(), Bson::from(value))
            });
            stages.push(doc! { "$set": set.collect::<Document>() });
            stages.push(doc! { "$unset": found });
        }
        stages
    }
}

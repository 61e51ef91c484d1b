//! The pipeline of an aggregation, made from the definition of the result. Pure.

use std::ops::Range;

use mongodb::bson::{Bson, DateTime, Document, doc};

use super::{
    expression::{field, inner, key, or_null, term, test},
    fill::filling,
    first_of_each,
    lookup::lookups,
    order,
};
use crate::definition::{Direction, Groups, IndexKey, Kind, Scalar, ValueDefinition, ValueKind};

/// The conditions, the order and the size of the result.
#[derive(Clone, Default)]
pub(super) struct Asked {
    pub(super) filter: Document,
    /// The conditions on the groups of the other aggregation.
    pub(super) inner_having: Document,
    /// The dates of the periods that get a group without documents.
    pub(super) fill: Option<Range<DateTime>>,
    /// The time zone of the call.
    pub(super) zone: Option<String>,
    pub(super) having: Document,
    pub(super) sort: Document,
    pub(super) skip: u64,
    pub(super) limit: u64,
    /// True when the options of the read name an index or a collation.
    pub(super) is_chosen: bool,
}

/// Returns the stages of the aggregation.
pub(super) fn stages(groups: &Groups, asked: Asked) -> Vec<Document> {
    let mut stages = Vec::new();
    let by_index = !asked.is_chosen && groups.of.is_none();
    let sort = by_index.then(|| first_of_each::sort((groups.documents)(), &groups.definition, &asked.filter)).flatten();
    let is_sorted = sort.is_some();
    stages.extend(stage("$match", asked.filter));
    stages.extend(sort.map(|sort| doc! { "$sort": sort }));
    let zone = asked.zone.as_deref().unwrap_or("UTC");
    let inner = (asked.inner_having, asked.fill);
    stages.extend(grouped(groups, inner, zone, is_sorted));
    stages.extend(stage("$match", asked.having));
    stages.extend(stage("$sort", asked.sort));
    stages.extend((asked.skip > 0).then(|| doc! { "$skip": asked.skip as i64 }));
    stages.extend((asked.limit > 0).then(|| doc! { "$limit": asked.limit as i64 }));
    stages.extend(lookups(groups, |_| true));
    stages
}

fn stage(name: &str, part: Document) -> Option<Document> {
    (!part.is_empty()).then(|| doc! { name: part })
}

/// Returns the stages that make the groups. The groups of the other aggregation are made first.
fn grouped(
    groups: &Groups,
    (inner_having, fill): (Document, Option<Range<DateTime>>),
    zone: &str,
    is_sorted: bool,
) -> Vec<Document> {
    let mut stages = Vec::new();
    if let Some(of) = groups.of {
        stages.extend(grouped(of, (Document::new(), None), zone, false));
        stages.extend(stage("$match", inner_having));
        stages.extend(lookups(of, |field| groups.definition.reads(field.rust_name, field.name)));
    }
    for path in groups.definition.unwind {
        stages.push(doc! { "$unwind": field((groups.documents)(), path) });
    }
    stages.push(doc! { "$group": groups.group(zone, is_sorted) });
    stages.extend(fill.into_iter().flat_map(|dates| filling(groups, &dates, zone)));
    if groups.definition.keys.is_empty() {
        // Of no documents the server makes no group. A `$facet` always gives a document, also in a transaction.
        stages.push(doc! { "$facet": { "groups": [{ "$limit": 1 }] } });
        let empty = doc! { "$literal": groups.empty_group() };
        stages.push(doc! { "$replaceWith": { "$ifNull": [{ "$first": "$groups" }, empty] } });
    }
    stages.push(doc! { "$project": groups.result(is_sorted) });
    stages
}

impl Groups {
    pub(super) fn values(&self) -> impl Iterator<Item = (String, &ValueDefinition)> {
        let values = self.definition.values.iter().enumerate();
        values.map(|(at, value)| (inner('v', at), value))
    }

    /// Returns the operand of the `$group`. Sorted documents need no order in the group.
    pub(super) fn group(&self, zone: &str, is_sorted: bool) -> Document {
        let keys = self.definition.keys.iter().enumerate();
        let keys: Document = keys.map(|(at, of)| (inner('k', at), key((self.documents)(), of, zone))).collect();
        let mut group = Document::new();
        group.insert("_id", if keys.is_empty() { Bson::Null } else { keys.into() });
        for (name, value) in self.values() {
            if let Some(accumulator) = self.accumulator(&value.kind, is_sorted) {
                group.insert(name, accumulator);
            }
        }
        group
    }

    /// Returns the accumulator of a value; `None` for a value that is no value of the group.
    fn accumulator(&self, kind: &ValueKind, is_sorted: bool) -> Option<Document> {
        let model = (self.documents)();
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
        // A group has no `_id`: the keys of a group name the group.
        for key in of.definition.keys {
            order.entry(of.fields[key.field].name.to_owned()).or_insert(Bson::Int32(1));
        }
        order
    }

    /// Returns the group of no documents.
    pub(super) fn empty_group(&self) -> Document {
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
    fn result(&self, is_sorted: bool) -> Document {
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
                ValueKind::Top { .. } if is_sorted => Bson::Array(vec![stored.into()]),
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
}

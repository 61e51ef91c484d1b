//! What an add to a parent is, for some new children of it: plain operators, or a pipeline where there is an average. Pure.

use std::cmp::Ordering;

use mongodb::bson::{Bson, Document, doc};

use super::path::{RollupField, RollupPath, RollupValue};
use crate::document::put;

/// The most children of one add, so that it stays a small command.
const MOST_IN_ADD: usize = 1_000;

/// An update of a parent, in the server's words.
#[derive(Debug, PartialEq)]
pub(super) enum Add {
    Plain(Document),
    Pipeline(Vec<Document>),
}

impl RollupPath {
    /// How many children one add may be of: the server alone adds and compares decimals, one at a time.
    pub(super) fn most_in_add(&self, children: &[&Document]) -> usize {
        let is_decimal = |child: &&Document| {
            self.fields.iter().any(|field| match &field.value {
                RollupValue::Sum { from, .. }
                | RollupValue::Avg { from, .. }
                | RollupValue::Min { from }
                | RollupValue::Max { from } => {
                    matches!(child.get(from), Some(Bson::Decimal128(_)))
                }
                RollupValue::Subset { .. } | RollupValue::Count => false,
            })
        };
        if children.iter().any(is_decimal) { 1 } else { MOST_IN_ADD }
    }

    /// What of a child a subset holds.
    pub(super) fn element(elements: &[&str], child: &Document) -> Bson {
        let fields = elements.iter().filter_map(|name| Some(((*name).to_owned(), child.get(name)?.clone())));
        Bson::Document(fields.collect())
    }

    /// The add of these children, which are all of one parent.
    pub(super) fn add(&self, children: &[&Document]) -> Add {
        match self.fields.iter().any(|field| matches!(field.value, RollupValue::Avg { .. })) {
            true => Add::Pipeline(self.pipeline(children)),
            false => Add::Plain(self.plain(children)),
        }
    }

    fn plain(&self, children: &[&Document]) -> Document {
        let mut update = Document::new();
        let mut put = |operator: &str, name: &str, value: Bson| put(&mut update, operator, name, value);
        for RollupField { name, value } in &self.fields {
            match value {
                RollupValue::Subset { keep, sort, elements } => {
                    let each: Vec<Bson> = children.iter().map(|child| Self::element(elements, child)).collect();
                    let push = doc! { "$each": each, "$sort": sort.clone(), "$slice": *keep };
                    put("$push", name, push.into());
                }
                RollupValue::Count => put("$inc", name, Bson::Int64(children.len() as i64)),
                RollupValue::Sum { from, .. } => put("$inc", name, sum(children, from)),
                RollupValue::Min { from } => {
                    extreme(children, from, Ordering::Less).into_iter().for_each(|value| put("$min", name, value))
                }
                RollupValue::Max { from } => {
                    extreme(children, from, Ordering::Greater).into_iter().for_each(|value| put("$max", name, value))
                }
                RollupValue::Avg { .. } => {}
            }
        }
        update
    }

    fn pipeline(&self, children: &[&Document]) -> Vec<Document> {
        let (mut parts, mut averages) = (Document::new(), Document::new());
        let or = |name: &str, zero: Bson| doc! { "$ifNull": [format!("${name}"), zero] };
        let plus = |name: &str, value: Bson| {
            let zero = if matches!(value, Bson::Double(_)) { Bson::Double(0.0) } else { Bson::Int64(0) };
            doc! { "$add": [or(name, zero), { "$literal": value }] }
        };
        for RollupField { name, value } in &self.fields {
            match value {
                RollupValue::Subset { keep, sort, elements } => {
                    let each: Vec<Bson> = children.iter().map(|child| Self::element(elements, child)).collect();
                    let all = doc! { "$concatArrays": [or(name, Bson::Array(Vec::new())), { "$literal": each }] };
                    let sorted = doc! { "$sortArray": { "input": all, "sortBy": sort.clone() } };
                    parts.insert(*name, doc! { "$slice": [sorted, *keep] });
                }
                RollupValue::Count => drop(parts.insert(*name, plus(name, Bson::Int64(children.len() as i64)))),
                RollupValue::Sum { from, .. } => drop(parts.insert(*name, plus(name, sum(children, from)))),
                RollupValue::Min { from } | RollupValue::Max { from } => {
                    let (operator, wanted) = match value {
                        RollupValue::Min { .. } => ("$min", Ordering::Less),
                        _ => ("$max", Ordering::Greater),
                    };
                    if let Some(value) = extreme(children, from, wanted) {
                        parts.insert(*name, doc! { operator: [format!("${name}"), { "$literal": value }] });
                    }
                }
                RollupValue::Avg { from, .. } => {
                    let (count, total) = self.parts(name);
                    averages.insert(*name, doc! { "$divide": [format!("${total}"), format!("${count}")] });
                    parts.insert(&count, plus(&count, Bson::Int64(children.len() as i64)));
                    parts.insert(&total, plus(&total, sum(children, from)));
                }
            }
        }
        vec![doc! { "$set": parts }, doc! { "$set": averages }]
    }
}

/// The sum of a number. Decimals come one at a time.
fn sum(children: &[&Document], from: &str) -> Bson {
    let mut total = Bson::Int64(0);
    for child in children {
        total = match (total, child.get(from)) {
            (Bson::Int64(0), Some(value @ (Bson::Decimal128(_) | Bson::Double(_)))) => value.clone(),
            (Bson::Int64(total), Some(Bson::Int32(value))) => Bson::Int64(total.saturating_add(i64::from(*value))),
            (Bson::Int64(total), Some(Bson::Int64(value))) => Bson::Int64(total.saturating_add(*value)),
            (Bson::Double(total), Some(Bson::Double(value))) => Bson::Double(total + value),
            (total, _) => total,
        };
    }
    total
}

fn extreme(children: &[&Document], from: &str, wanted: Ordering) -> Option<Bson> {
    let values = children.iter().filter_map(|child| child.get(from));
    values.reduce(|best, value| if compare(value, best) == wanted { value } else { best }).cloned()
}

/// Values of one type, as the server orders them.
fn compare(one: &Bson, other: &Bson) -> Ordering {
    match (one, other) {
        (Bson::DateTime(one), Bson::DateTime(other)) => one.cmp(other),
        (Bson::ObjectId(one), Bson::ObjectId(other)) => one.cmp(other),
        (Bson::String(one), Bson::String(other)) => one.cmp(other),
        (Bson::Double(one), Bson::Double(other)) => match (one.is_nan(), other.is_nan()) {
            // The server orders NaN below all numbers.
            (false, false) => one.partial_cmp(other).unwrap_or(Ordering::Equal),
            (one, other) => other.cmp(&one),
        },
        (one, other) => integer(one).cmp(&integer(other)),
    }
}

fn integer(value: &Bson) -> i64 {
    match value {
        Bson::Int32(value) => i64::from(*value),
        Bson::Int64(value) => *value,
        _ => 0,
    }
}

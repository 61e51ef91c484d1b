//! The sum of some children of one parent, for each field that the parent keeps of the children: a group of an
//! aggregation, or a sum of documents at hand. Pure.

use std::cmp::Ordering;

use crate::derived::rollup::stored::path::{RollupPath, RollupValue};
use mongodb::bson::{Bson, Document, doc};

/// The sum of some children.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::derived::rollup) struct Tally {
    pub(in crate::derived::rollup) count: i64,
    /// By the position of the field: the numbers to add, the candidates, or the elements.
    pub(in crate::derived::rollup) values: Vec<Vec<Bson>>,
}

impl Tally {
    pub(in crate::derived::rollup) fn of(&self, at: usize) -> &[Bson] {
        self.values.get(at).map_or(&[], Vec::as_slice)
    }
}

impl RollupPath {
    /// Returns the accumulators of a `$group` of children.
    pub(in crate::derived::rollup) fn accumulators(&self) -> Document {
        let mut group = doc! { "n": { "$sum": 1_i64 } };
        for (at, field) in self.fields.iter().enumerate() {
            let accumulator = match &field.value {
                RollupValue::Count => continue,
                RollupValue::Sum { from, .. } | RollupValue::Avg { from, .. } => doc! { "$sum": format!("${from}") },
                RollupValue::Min { from } => doc! { "$min": format!("${from}") },
                RollupValue::Max { from } => doc! { "$max": format!("${from}") },
                RollupValue::Subset { keep, sort, elements } => {
                    let output: Document =
                        elements.iter().map(|name| ((*name).to_owned(), Bson::from(format!("${name}")))).collect();
                    doc! { "$topN": { "n": *keep, "sortBy": sort.clone(), "output": output } }
                }
            };
            group.insert(format!("f{at}"), accumulator);
            if let RollupValue::Sum { from, zero: Bson::Double(_) } | RollupValue::Avg { from, zero: Bson::Double(_) } =
                &field.value
            {
                group.insert(format!("a{at}"), doc! { "$sum": { "$abs": format!("${from}") } });
            }
        }
        group
    }

    /// Reads a group from the reply of the server.
    pub(in crate::derived::rollup) fn tally(&self, group: &Document) -> Tally {
        let count = match group.get("n") {
            Some(Bson::Int32(count)) => i64::from(*count),
            Some(Bson::Int64(count)) => *count,
            _ => 0,
        };
        let values = (0..self.fields.len()).map(|at| match group.get(format!("f{at}")) {
            Some(Bson::Array(elements)) if matches!(self.fields[at].value, RollupValue::Subset { .. }) => {
                elements.clone()
            }
            None | Some(Bson::Null | Bson::Undefined) => Vec::new(),
            Some(value) => vec![value.clone()],
        });
        Tally { count, values: values.collect() }
    }

    /// Adds up children at hand.
    pub(in crate::derived::rollup) fn tally_of(&self, children: &[&Document]) -> Tally {
        let values = self.fields.iter().map(|field| match &field.value {
            RollupValue::Count => Vec::new(),
            RollupValue::Sum { from, .. } | RollupValue::Avg { from, .. } => sum(children, from),
            RollupValue::Min { from } => extreme(children, from, Ordering::Less),
            RollupValue::Max { from } => extreme(children, from, Ordering::Greater),
            RollupValue::Subset { elements, .. } => {
                children.iter().map(|child| element(elements, child)).collect::<Vec<_>>()
            }
        });
        Tally { count: children.len() as i64, values: values.collect() }
    }
}

/// Returns the part of a child that a subset holds.
fn element(elements: &[&str], child: &Document) -> Bson {
    let fields = elements.iter().filter_map(|name| Some(((*name).to_owned(), child.get(name)?.clone())));
    Bson::Document(fields.collect())
}

/// Returns numbers that add up to the sum. The server adds decimals, and sums that overflow their type.
fn sum(children: &[&Document], from: &str) -> Vec<Bson> {
    let values: Vec<&Bson> = children.iter().filter_map(|child| child.get(from)).collect();
    let integers = || values.iter().map(|value| integer(value)).try_fold(0_i64, |sum, value| sum.checked_add(value?));
    let doubles = || values.iter().map(|value| value.as_f64()).sum::<Option<f64>>();
    match (integers(), doubles()) {
        _ if values.is_empty() => Vec::new(),
        (Some(sum), _) => vec![Bson::Int64(sum)],
        (None, Some(sum)) => vec![Bson::Double(sum)],
        (None, None) => values.into_iter().cloned().collect(),
    }
}

/// Returns the least or the greatest present value. The server compares decimals.
fn extreme(children: &[&Document], from: &str, wanted: Ordering) -> Vec<Bson> {
    let values = || children.iter().filter_map(|child| child.get(from)).filter(|value| **value != Bson::Null);
    if values().any(|value| matches!(value, Bson::Decimal128(_))) {
        return values().cloned().collect();
    }
    let best = values().reduce(|best, value| if compare(value, best) == wanted { value } else { best });
    best.cloned().into_iter().collect()
}

/// Compares values of one type in the order of the server.
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

pub(in crate::derived::rollup) fn integer(value: &Bson) -> Option<i64> {
    match value {
        Bson::Int32(value) => Some(i64::from(*value)),
        Bson::Int64(value) => Some(*value),
        _ => None,
    }
}

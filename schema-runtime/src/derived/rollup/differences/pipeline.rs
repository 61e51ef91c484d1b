//! The update of a parent by a difference, as a pipeline. Pure.

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::{difference::Delta, same::like, tally::Tally};
use crate::derived::rollup::stored::path::{RollupField, RollupPath, RollupValue};
/// The ratio between the greatest number and the remaining sum from which the children are read again. The precision
/// that a double loses beside such a number is a part of 10^10 of the rest.
const ABSORBS: f64 = 1_048_576.0;

/// The size from which a decimal may lose fraction digits of smaller sums, whatever remains.
const MOST_DIGITS: f64 = 1e20;

impl RollupPath {
    /// Returns the update that applies one difference. `again` has the minimum, the maximum and the subset that were
    /// read again from the children.
    pub(in crate::derived::rollup) fn applied(&self, delta: &Delta, again: Option<&Tally>) -> Vec<Document> {
        let (mut set, mut averages) = (Document::new(), Document::new());
        let count = delta.plus.count - delta.minus.count;
        for (at, RollupField { name, value }) in self.fields.iter().enumerate() {
            let (plus, minus) = (delta.plus.of(at), delta.minus.of(at));
            match value {
                RollupValue::Count => drop(set.insert(*name, doc! { "$add": [or(name, 0_i64), count] })),
                RollupValue::Sum { zero, .. } => {
                    set.insert(*name, difference(or(name, zero.clone()), plus, minus));
                }
                RollupValue::Avg { zero, .. } => {
                    let (number, total) = self.parts(name);
                    averages.insert(*name, divided(&number, &total));
                    set.insert(&total, difference(or(&total, zero.clone()), plus, minus));
                    set.insert(&number, doc! { "$add": [or(&number, 0_i64), count] });
                }
                RollupValue::Subset { .. } | RollupValue::Min { .. } | RollupValue::Max { .. } => match again {
                    Some(again) => drop(set.insert(*name, value.folded(Bson::Null, literal(again.of(at)), Vec::new()))),
                    None if plus == minus => {}
                    None => {
                        let stored = Bson::from(format!("${name}"));
                        set.insert(*name, value.folded(stored, literal(plus), ids(minus)));
                    }
                },
            }
        }
        // An update that changes nothing meets no write conflict with a transaction that reads the children again.
        if self.fields.iter().any(|field| field.value.is_extreme()) {
            set.insert(self.state("last"), ObjectId::new());
        }
        stages(set, averages)
    }

    /// Returns the update that sets a parent to the values of the children. A recompute that has read the parent before
    /// does not correct the parent.
    pub(in crate::derived::rollup) fn recounted(&self, tally: &Tally) -> Vec<Document> {
        let (mut set, mut averages) = (Document::new(), Document::new());
        for (at, RollupField { name, value }) in self.fields.iter().enumerate() {
            let sum = |zero: &Bson| tally.of(at).first().map_or_else(|| zero.clone(), |sum| like(zero, sum));
            match value {
                RollupValue::Count => drop(set.insert(*name, tally.count)),
                RollupValue::Sum { zero, .. } => drop(set.insert(*name, doc! { "$literal": sum(zero) })),
                RollupValue::Avg { zero, .. } => {
                    let (number, total) = self.parts(name);
                    averages.insert(*name, divided(&number, &total));
                    set.insert(total, doc! { "$literal": sum(zero) });
                    set.insert(number, tally.count);
                }
                RollupValue::Subset { .. } | RollupValue::Min { .. } | RollupValue::Max { .. } => {
                    set.insert(*name, value.folded(Bson::Null, literal(tally.of(at)), Vec::new()));
                }
            }
        }
        set.insert(self.state("corrected"), ObjectId::new());
        stages(set, averages)
    }

    /// Returns the update that sets the minimum, the maximum and the subset of a parent.
    pub(in crate::derived::rollup) fn refreshed(&self, tally: &Tally) -> Vec<Document> {
        let extremes = self.fields.iter().enumerate().filter(|(_, field)| field.value.is_extreme());
        let set = extremes.map(|(at, RollupField { name, value })| {
            ((*name).to_owned(), Bson::from(value.folded(Bson::Null, literal(tally.of(at)), Vec::new())))
        });
        vec![doc! { "$set": set.collect::<Document>() }]
    }

    /// Returns the condition of a parent with a minimum, a maximum or an element of a subset that the difference takes
    /// away; `None` where no parent can match.
    pub(in crate::derived::rollup) fn loses_extremes(&self, delta: &Delta) -> Option<Document> {
        let lost = self.fields.iter().enumerate().filter_map(|(at, field)| {
            let (plus, minus) = (delta.plus.of(at), delta.minus.of(at));
            if plus == minus { None } else { field.value.has_lost(field.name, plus, minus) }
        });
        any_of(lost.collect())
    }

    /// Returns the condition of a parent with a sum of fractions that has no digits of the remaining children after the
    /// difference.
    pub(in crate::derived::rollup) fn loses_totals(&self, delta: &Delta) -> Option<Document> {
        let lost = self.fields.iter().enumerate().filter_map(|(at, RollupField { name, value })| {
            let (plus, minus) = (delta.plus.of(at), delta.minus.of(at));
            let (zero, total) = match value {
                RollupValue::Sum { zero, .. } => (zero, (*name).to_owned()),
                RollupValue::Avg { zero, .. } => (zero, self.parts(name).1),
                _ => return None,
            };
            if plus == minus {
                return None;
            }
            let was = or(&total, zero.clone());
            value.is_lost(&was, &difference(was.clone(), plus, minus), plus, minus)
        });
        any_of(lost.collect())
    }
}

fn stages(set: Document, averages: Document) -> Vec<Document> {
    let stages = [set, averages].into_iter().filter(|set| !set.is_empty());
    stages.map(|set| doc! { "$set": set }).collect()
}

fn any_of(conditions: Vec<Document>) -> Option<Document> {
    (!conditions.is_empty()).then(|| doc! { "$or": conditions })
}

impl RollupValue {
    /// Returns the expression of a value with more children, and without the children of the given `_id`s.
    fn folded(&self, base: Bson, plus: Bson, without: Vec<Bson>) -> Document {
        match self {
            RollupValue::Min { .. } => {
                doc! { "$ifNull": [{ "$min": { "$concatArrays": [[base], of_array(plus)] } }, "$$REMOVE"] }
            }
            RollupValue::Max { .. } => {
                doc! { "$ifNull": [{ "$max": { "$concatArrays": [[base], of_array(plus)] } }, "$$REMOVE"] }
            }
            RollupValue::Subset { keep, sort, .. } => {
                let others = doc! { "$not": [{ "$in": ["$$this._id", { "$concatArrays": [{ "$literal": without }, "$$plus._id"] }] }] };
                let kept = doc! { "$filter": { "input": of_array("$$base".into()), "cond": others } };
                let sorted =
                    doc! { "$sortArray": { "input": { "$concatArrays": [kept, "$$plus"] }, "sortBy": sort.clone() } };
                // Each operand appears once in the expression, however large the operand is.
                let sliced = doc! { "$slice": [sorted, *keep] };
                let plus = doc! { "$let": { "vars": { "plus": plus }, "in": of_array("$$plus".into()) } };
                doc! { "$let": { "vars": { "base": base, "plus": plus }, "in": sliced } }
            }
            RollupValue::Count | RollupValue::Sum { .. } | RollupValue::Avg { .. } => Document::new(),
        }
    }

    /// Returns the condition of a sum that has lost digits of the remaining children: the sum is infinite or NaN, or a
    /// large part of the sum has gone, together with the digits of small numbers.
    fn is_lost(&self, was: &Document, sum: &Document, plus: &[Bson], minus: &[Bson]) -> Option<Document> {
        if !self.is_fraction() || minus.is_empty() {
            return None;
        }
        let abs = |number: Bson| Bson::from(doc! { "$abs": number });
        let each = plus.iter().chain(minus).map(|number| abs(number.clone()));
        let greatest = doc! { "$max": each.chain([abs(was.clone().into())]).collect::<Vec<_>>() };
        let is_finite = doc! { "$and": [{ "$gt": [sum, f64::NEG_INFINITY] }, { "$lt": [sum, f64::INFINITY] }] };
        let is_small = doc! { "$lt": [{ "$multiply": [abs(sum.clone().into()), ABSORBS] }, &greatest] };
        let is_beyond = doc! { "$gte": [&greatest, MOST_DIGITS] };
        Some(doc! { "$or": [{ "$not": [is_finite] }, is_small, is_beyond] })
    }

    /// Returns the condition of a stored value that has lost a part which only the children can replace.
    fn has_lost(&self, name: &str, plus: &[Bson], minus: &[Bson]) -> Option<Document> {
        let stored = format!("${name}");
        let first = |values: &[Bson]| values.first().cloned();
        match self {
            RollupValue::Min { .. } | RollupValue::Max { .. } => {
                let (at_most, best) = match self {
                    RollupValue::Min { .. } => ("$lte", "$min"),
                    _ => ("$gte", "$max"),
                };
                let gone = first(minus)?;
                // The replacement may be better than the lost value.
                let is_replaced = match plus {
                    [] => Bson::Boolean(false),
                    plus => doc! { at_most: [{ best: { "$literal": plus } }, { "$literal": &gone }] }.into(),
                };
                Some(doc! { "$and": [{ at_most: [{ "$literal": gone }, stored] }, { "$not": [is_replaced] }] })
            }
            RollupValue::Subset { keep, .. } if !minus.is_empty() => {
                let was_in =
                    doc! { "$setIntersection": [of_array(format!("{stored}._id").into()), { "$literal": ids(minus) }] };
                let is_full = doc! { "$gte": [{ "$size": of_array(stored.into()) }, *keep] };
                Some(doc! { "$and": [is_full, { "$ne": [was_in, []] }] })
            }
            _ => None,
        }
    }
}

/// Returns the expression of a field with a default for an absent field.
pub(in crate::derived::rollup) fn or(field: &str, zero: impl Into<Bson>) -> Document {
    doc! { "$ifNull": [format!("${field}"), zero.into()] }
}

/// Returns the expression of an average; the field is removed when the count is zero.
pub(in crate::derived::rollup) fn divided(count: &str, total: &str) -> Document {
    let some = doc! { "$gt": [or(count, 0_i64), 0_i64] };
    doc! { "$cond": [some, { "$divide": [format!("${total}"), format!("${count}")] }, "$$REMOVE"] }
}

/// Returns the expression of a base with some numbers added and some numbers subtracted. The subtraction comes first:
/// the sum of the remaining children usually fits 64 bits, and a sum with the old and the new value of a child may not.
pub(in crate::derived::rollup) fn difference(base: Document, plus: &[Bson], minus: &[Bson]) -> Document {
    let others = if minus.is_empty() {
        base
    } else {
        doc! { "$subtract": [base, { "$add": minus }] }
    };
    let all: Vec<Bson> = [Bson::from(others)].into_iter().chain(plus.iter().cloned()).collect();
    doc! { "$add": all }
}

fn literal(values: &[Bson]) -> Bson {
    doc! { "$literal": values }.into()
}

/// Returns the expression of an array; an empty array for any different type.
fn of_array(expression: Bson) -> Document {
    doc! { "$cond": [{ "$isArray": [&expression] }, expression, []] }
}

fn ids(elements: &[Bson]) -> Vec<Bson> {
    elements.iter().filter_map(|element| element.as_document()?.get("_id").cloned()).collect()
}

//! The update of a parent by what some children come to, as a pipeline. Pure.

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::{
    path::{RollupField, RollupPath, RollupValue},
    tally::{Delta, Tally},
};

/// So much smaller is a sum than what has gone from it, when the children are read again: what a double loses beside such a number is a
/// part of 10^10 of the rest.
const ABSORBS: f64 = 1_048_576.0;

/// Beside such a number a decimal may lose digits behind the point that other sums keep, whatever is left.
const MOST_DIGITS: f64 = 1e20;

impl RollupPath {
    /// Whether something may be gone that only the children can replace.
    pub(super) fn may_lose(&self, delta: &Delta) -> bool {
        let gone = |at: usize| !delta.minus.of(at).is_empty() && delta.minus.of(at) != delta.plus.of(at);
        let is_read_again = |field: &RollupField| field.value.is_extreme() || field.value.is_fraction();
        self.fields.iter().enumerate().any(|(at, field)| is_read_again(field) && gone(at))
    }

    /// One mark is applied: the difference, and that the parent has it.
    pub(super) fn applied(&self, mark: ObjectId, delta: &Delta) -> Vec<Document> {
        let (mut set, mut averages) = (Document::new(), Document::new());
        let (mut added, mut lost, mut lost_totals) = (Document::new(), Vec::new(), Vec::new());
        let mut is_less = false;
        for (at, RollupField { name, value }) in self.fields.iter().enumerate() {
            let (plus, minus) = (delta.plus.of(at), delta.minus.of(at));
            match value {
                RollupValue::Count => {
                    let sum = doc! { "$add": [or(name, 0_i64), delta.plus.count - delta.minus.count] };
                    set.insert(*name, sum);
                }
                RollupValue::Sum { zero, .. } => {
                    let was = or(name, zero.clone());
                    let total = difference(was.clone(), plus, minus);
                    lost_totals.extend(value.is_lost(&was, &total, plus, minus));
                    set.insert(*name, total);
                }
                RollupValue::Avg { zero, .. } => {
                    let (count, total) = self.parts(name);
                    let sum = doc! { "$add": [or(&count, 0_i64), delta.plus.count - delta.minus.count] };
                    averages.insert(*name, divided(&count, &total));
                    let was = or(&total, zero.clone());
                    let totalled = difference(was.clone(), plus, minus);
                    lost_totals.extend(value.is_lost(&was, &totalled, plus, minus));
                    set.insert(&total, totalled);
                    set.insert(count, sum);
                }
                RollupValue::Subset { .. } | RollupValue::Min { .. } | RollupValue::Max { .. } => {
                    if plus != minus {
                        is_less |= !minus.is_empty();
                        lost.extend(value.has_lost(name, plus, minus));
                        set.insert(*name, value.folded(Bson::from(format!("${name}")), literal(plus), ids(minus)));
                    }
                    // Also what is as it was: its child may have had a record when others read, and none now.
                    if !plus.is_empty() {
                        let since = Bson::from(format!("${}", self.state(&format!("refresh.plus.{name}"))));
                        added.insert(*name, value.folded(since, literal(plus), Vec::new()));
                    }
                }
            }
        }
        let applied = self.state("applied");
        set.insert(&applied, doc! { "$concatArrays": [or(&applied, Bson::Array(Vec::new())), [mark]] });
        set.insert(self.state("last"), mark);
        // Somebody may have read the sum again already.
        let dirty = match (is_less, lost_totals.is_empty()) {
            (true, _) => Some(Bson::Boolean(true)),
            (false, true) => None,
            (false, false) => {
                let was = format!("${}", self.state("refresh.dirty"));
                Some(doc! { "$cond": [{ "$or": lost_totals.clone() }, true, was] }.into())
            }
        };
        if !lost_totals.is_empty() {
            let totals = self.state("totals");
            let so = doc! { "$cond": [{ "$or": lost_totals.clone() }, true, format!("${totals}")] };
            set.insert(totals, so);
        }
        lost.extend(lost_totals);
        if !lost.is_empty() {
            let stale = self.state("stale");
            let so = doc! { "$cond": [{ "$or": lost }, true, format!("${stale}")] };
            set.insert(stale, so);
        }
        if dirty.is_some() || !added.is_empty() {
            set.insert(self.state("refresh"), self.disturbed(dirty, added));
        }
        let mut pipeline = vec![doc! { "$set": set }];
        if !averages.is_empty() {
            pipeline.push(doc! { "$set": averages });
        }
        pipeline
    }

    /// What an apply leaves for somebody who reads the children again.
    fn disturbed(&self, dirty: Option<Bson>, added: Document) -> Document {
        let refresh = format!("${}", self.state("refresh"));
        let mut more = Document::new();
        if let Some(dirty) = dirty {
            more.insert("dirty", dirty);
        }
        if !added.is_empty() {
            more.insert("plus", doc! { "$mergeObjects": [format!("{refresh}.plus"), added] });
        }
        let is_there = doc! { "$eq": [{ "$type": &refresh }, "object"] };
        doc! { "$cond": [is_there, { "$mergeObjects": [&refresh, more] }, "$$REMOVE"] }
    }

    /// The fields that were read again, with what was added since.
    pub(super) fn refreshed(&self, read: &[Tally]) -> Vec<Document> {
        let over = ["stale", "totals", "refresh"];
        let mut set: Document = over.iter().map(|of| (self.state(of), Bson::from("$$REMOVE"))).collect();
        for (at, RollupField { name, value }) in
            self.fields.iter().enumerate().filter(|(_, field)| field.value.is_extreme())
        {
            let mut folded = Bson::Null;
            for tally in read {
                folded = value.folded(folded, literal(tally.of(at)), Vec::new()).into();
            }
            let since = format!("${}", self.state(&format!("refresh.plus.{name}")));
            let since = if matches!(value, RollupValue::Subset { .. }) {
                Bson::from(since)
            } else {
                Bson::Array(vec![since.into()])
            };
            set.insert(*name, value.folded(folded, since, Vec::new()));
        }
        vec![doc! { "$set": set }]
    }

    /// A mark is taken out of these lists.
    pub(super) fn forgotten(&self, mark: ObjectId, known: &[&str]) -> Vec<Document> {
        let left = |of: &str| {
            let field = self.state(of);
            let rest = doc! { "$filter": { "input": or(&field, Bson::Array(Vec::new())), "cond": { "$ne": ["$$this", mark] } } };
            let left = doc! { "$let": { "vars": { "left": rest }, "in": { "$cond": [{ "$eq": ["$$left", []] }, "$$REMOVE", "$$left"] } } };
            (field, Bson::from(left))
        };
        vec![doc! { "$set": known.iter().map(|of| left(of)).collect::<Document>() }]
    }
}

impl RollupValue {
    /// A value with more children in it, and without those that have these `_id`s.
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
                // Each once, however large.
                let sliced = doc! { "$slice": [sorted, *keep] };
                let plus = doc! { "$let": { "vars": { "plus": plus }, "in": of_array("$$plus".into()) } };
                doc! { "$let": { "vars": { "base": base, "plus": plus }, "in": sliced } }
            }
            RollupValue::Count | RollupValue::Sum { .. } | RollupValue::Avg { .. } => Document::new(),
        }
    }

    /// Whether a sum from which something was taken away is not what the others add up to: it is infinite or no number, or much of what
    /// was in it has gone, beside which the digits of the others had no place.
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

    /// Whether what is stored has lost something that only the children can replace.
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
                // What comes in its place may be better still.
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

/// A field, or what it is where it is not there.
pub(super) fn or(field: &str, zero: impl Into<Bson>) -> Document {
    doc! { "$ifNull": [format!("${field}"), zero.into()] }
}

/// The average of these, if there are any.
pub(super) fn divided(count: &str, total: &str) -> Document {
    let some = doc! { "$gt": [or(count, 0_i64), 0_i64] };
    doc! { "$cond": [some, { "$divide": [format!("${total}"), format!("${count}")] }, "$$REMOVE"] }
}

/// With some numbers more, and some less. What goes is subtracted first: the sum of the others fits 64 bits, as a rule, and that of what a
/// child had and has may not.
pub(super) fn difference(base: Document, plus: &[Bson], minus: &[Bson]) -> Document {
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

/// An array, or none.
fn of_array(expression: Bson) -> Document {
    doc! { "$cond": [{ "$isArray": [&expression] }, expression, []] }
}

fn ids(elements: &[Bson]) -> Vec<Bson> {
    elements.iter().filter_map(|element| element.as_document()?.get("_id").cloned()).collect()
}

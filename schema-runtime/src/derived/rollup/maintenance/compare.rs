//! Compares parents with the children, both read at the same time. Reads only.

use std::collections::HashMap;

use mongodb::bson::{Bson, Document, doc};

use crate::{
    derived::rollup::{
        differences::{
            difference::Delta,
            left::{DELTAS, parent_of_left},
            same::{is_finite, is_other_average, less, same},
            tally::Tally,
        },
        stored::path::{RollupField, RollupPath, RollupValue},
    },
    document::value_at,
    error::{Error, Result, code},
    executor::{Attempts, Context},
    key::Key,
    limits::{COMPARED_ELEMENTS, FOLDED_PARENTS, ROLLUP_PARENTS},
};

/// A parent, the children, and the left differences of the parent, at the same time.
pub(in crate::derived::rollup) struct Compared {
    pub(in crate::derived::rollup) parent: Document,
    tally: Tally,
    /// The sums of the absolute values, by the position of the field: the scale of the tolerance for fractions.
    absolute: Vec<f64>,
    left: Option<Delta>,
    /// True when every number is finite, and the left differences can be subtracted here.
    is_exact: bool,
}

/// The differences between a parent and the children.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::derived::rollup) struct Differs {
    /// True when a count, a sum or an average differs.
    pub(in crate::derived::rollup) totals: bool,
    /// True when a minimum, a maximum or a subset differs, and no left difference changes the value.
    pub(in crate::derived::rollup) extremes: bool,
}

impl Differs {
    pub(in crate::derived::rollup) fn any(self) -> bool {
        self.totals || self.extremes
    }
}

impl Compared {
    /// Returns the count of a right parent: the count of the children, without the left differences.
    pub(in crate::derived::rollup) fn count(&self) -> Bson {
        let left = self.left.as_ref().map_or(0, |left| left.plus.count);
        Bson::Int64(self.tally.count - left)
    }

    /// Returns the sum of a right parent at the position of a field; `None` without children.
    pub(in crate::derived::rollup) fn expected(&self, at: usize) -> Option<Bson> {
        let sum = self.tally.of(at).first();
        match &self.left {
            None => sum.cloned(),
            Some(left) => less(sum, left.plus.of(at), left.minus.of(at)),
        }
    }

    /// Returns whether the error of the parent is a known number.
    pub(in crate::derived::rollup) fn is_exact(&self) -> bool {
        self.is_exact
    }
}

impl RollupPath {
    /// Returns the number of parents that are read together. Parents with many elements are read in smaller groups.
    pub(in crate::derived::rollup) fn at_a_time(&self) -> usize {
        let kept = self.fields.iter().map(|field| match &field.value {
            RollupValue::Subset { keep, .. } => usize::try_from(*keep).unwrap_or(0),
            _ => 0,
        });
        (COMPARED_ELEMENTS / kept.sum::<usize>().max(1)).clamp(1, ROLLUP_PARENTS)
    }

    /// Compares each existing parent with the children.
    pub(in crate::derived::rollup) async fn compare(&self, context: &Context, ids: &[Bson]) -> Result<Vec<Compared>> {
        let mut attempts = Attempts::default();
        loop {
            match self.compare_at_one_time(context, ids).await {
                // A collection, such as the collection of the left differences, was created after the read time.
                Err(Error::Driver(error)) if code::server_code(&error) == Some(code::SNAPSHOT_UNAVAILABLE) => {
                    attempts.again().await?;
                }
                compared => return compared,
            }
        }
    }

    async fn compare_at_one_time(&self, context: &Context, ids: &[Bson]) -> Result<Vec<Compared>> {
        let mut wanted = doc! { self.states(): 1 };
        wanted.extend(self.fields.iter().map(|field| (field.name.to_owned(), Bson::Int32(1))));
        let filter = doc! { "_id": { "$in": ids } };
        match context.find_at_one_time(self.parent.collection, filter, wanted, ids.len()).await? {
            Some((parents, _)) if parents.is_empty() => Ok(Vec::new()),
            Some((parents, time)) => {
                let groups = context.aggregate_at(self.child.collection, self.grouped(ids), time).await?;
                let mut left = Vec::new();
                for ids in self.may_have_left(context, ids, Some(time)).await?.chunks(FOLDED_PARENTS) {
                    left.extend(context.aggregate_at(DELTAS, vec![doc! { "$match": self.left_of(ids) }], time).await?);
                }
                Ok(self.compared(parents, groups, left))
            }
            // A single reply cannot hold all parents: each half is read alone.
            None => {
                let (one, other) = ids.split_at(ids.len() / 2);
                let mut both = Box::pin(self.compare_at_one_time(context, one)).await?;
                both.extend(Box::pin(self.compare_at_one_time(context, other)).await?);
                Ok(both)
            }
        }
    }

    fn compared(&self, parents: Vec<Document>, groups: Vec<Document>, left: Vec<Document>) -> Vec<Compared> {
        let of_parent = |group: Document| Some((Key::of(group.get("_id")?), group));
        let groups: HashMap<Key, Document> = groups.into_iter().filter_map(of_parent).collect();
        let mut all_left: HashMap<Key, Vec<Document>> = HashMap::new();
        for left in left {
            if let Some(key) = parent_of_left(&left).map(Key::of) {
                all_left.entry(key).or_default().push(left);
            }
        }
        let compared = parents.into_iter().map(|parent| {
            let id = parent.get("_id").cloned().unwrap_or(Bson::Null);
            let none = Document::new();
            let group = groups.get(&Key::of(&id)).unwrap_or(&none);
            let absolute = |at| group.get(format!("a{at}")).and_then(Bson::as_f64).unwrap_or_default();
            let left = all_left.get(&Key::of(&id)).map(|left| self.sum_of_left(id, left));
            let mut compared = Compared {
                tally: self.tally(group),
                absolute: (0..self.fields.len()).map(absolute).collect(),
                parent,
                left,
                is_exact: true,
            };
            compared.is_exact = self.is_exact(&compared);
            compared
        });
        compared.collect()
    }

    fn is_exact(&self, compared: &Compared) -> bool {
        self.fields.iter().enumerate().all(|(at, RollupField { name, value })| {
            let stored = match value {
                RollupValue::Sum { .. } => value_at(&compared.parent, name),
                RollupValue::Avg { .. } => value_at(&compared.parent, &self.parts(name).1),
                _ => return true,
            };
            let expected = compared.expected(at);
            let is_known = expected.is_some() || compared.tally.of(at).is_empty() && compared.left.is_none();
            is_known && is_finite(&stored) && expected.as_ref().is_none_or(is_finite)
        })
    }

    pub(in crate::derived::rollup) fn differs(&self, compared: &Compared) -> Differs {
        let mut differs = Differs::default();
        let extremes_are_left = compared.left.as_ref().is_some_and(|left| left.reads_again);
        for (at, RollupField { name, value }) in self.fields.iter().enumerate() {
            let stored = compared.parent.get(name).unwrap_or(&Bson::Null);
            let tolerance = 1e-9 * compared.absolute[at];
            let values = compared.tally.of(at);
            // A left difference may hold a decimal, which is not subtracted here. The parent is then pending, and no
            // finding.
            let is_pending = compared.left.is_some() && compared.expected(at).is_none();
            match value {
                RollupValue::Count => differs.totals |= !same(stored, &compared.count(), 0.0),
                RollupValue::Sum { zero, .. } => {
                    let expected = compared.expected(at);
                    differs.totals |= !is_pending && !same(stored, expected.as_ref().unwrap_or(zero), tolerance);
                }
                RollupValue::Avg { zero, .. } => {
                    let (count, total) = self.parts(name);
                    // A parent that never had a child has neither part.
                    let part = |path: &str, zero: &Bson| match value_at(&compared.parent, path) {
                        Bson::Null => zero.clone(),
                        part => part,
                    };
                    let (count, total) = (part(&count, &Bson::Int64(0)), part(&total, zero));
                    let expected = compared.expected(at);
                    let number = compared.count().as_i64().unwrap_or_default();
                    differs.totals |= !is_pending
                        && (!same(&count, &compared.count(), 0.0)
                            || !same(&total, expected.as_ref().unwrap_or(zero), tolerance)
                            || is_other_average(stored, &total, number));
                }
                RollupValue::Min { .. } | RollupValue::Max { .. } => {
                    differs.extremes |= !same(stored, values.first().unwrap_or(&Bson::Null), 0.0);
                }
                RollupValue::Subset { .. } => {
                    differs.extremes |= !same(stored, &Bson::Array(values.to_vec()), 0.0);
                }
            }
        }
        differs.extremes &= !extremes_are_left;
        differs
    }
}

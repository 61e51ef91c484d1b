//! Differences: the changes that a write of children makes for each parent. Pure.

use std::collections::HashMap;

use mongodb::bson::{Bson, Document, doc};

use super::tally::{Tally, integer};
use crate::{
    codec,
    derived::rollup::stored::path::{RollupPath, RollupValue},
    key::Key,
    limits::{DIFFERENCE_BYTES, DIFFERENCE_ELEMENTS},
};

/// The change that a write of children makes for a single parent.
#[derive(Clone, Debug)]
pub(in crate::derived::rollup) struct Delta {
    pub(in crate::derived::rollup) parent: Bson,
    /// The `_id` of a child, for errors.
    pub(in crate::derived::rollup) child: Bson,
    pub(in crate::derived::rollup) plus: Tally,
    pub(in crate::derived::rollup) minus: Tally,
    /// True when a child newly refers to the parent.
    pub(in crate::derived::rollup) has_new: bool,
    /// True when the minimum, the maximum and the subset are read again from the children.
    pub(in crate::derived::rollup) reads_again: bool,
}

/// A child before and after a write.
pub(in crate::derived::rollup) type Change<'a> = (Option<&'a Document>, Option<&'a Document>);

/// The children that a parent gains and loses.
struct OfParent<'a> {
    parent: &'a Bson,
    plus: Vec<&'a Document>,
    minus: Vec<&'a Document>,
    has_new: bool,
}

impl RollupPath {
    /// Returns the parent that a child refers to.
    pub(in crate::derived::rollup) fn parent_of<'a>(&self, child: &'a Document) -> Option<&'a Bson> {
        child.get(self.reference).filter(|parent| **parent != Bson::Null)
    }

    /// Returns the differences between the children before and after a write, in the order of the parents' first
    /// children.
    pub(in crate::derived::rollup) fn differences<'a>(
        &self,
        children: impl IntoIterator<Item = Change<'a>>,
    ) -> Vec<Delta> {
        let (mut all, mut positions) = (Vec::<OfParent<'a>>::new(), HashMap::new());
        let mut at = |parent: &'a Bson, all: &mut Vec<OfParent<'a>>| {
            *positions.entry(Key::of(parent)).or_insert_with(|| {
                all.push(OfParent { parent, plus: Vec::new(), minus: Vec::new(), has_new: false });
                all.len() - 1
            })
        };
        for (before, after) in children {
            if let (Some(before), Some(after)) = (before, after)
                && self.says_the_same(before, after)
            {
                continue;
            }
            if let Some((parent, child)) = before.and_then(|child| Some((self.parent_of(child)?, child))) {
                let at = at(parent, &mut all);
                all[at].minus.push(child);
            }
            if let Some((parent, child)) = after.and_then(|child| Some((self.parent_of(child)?, child))) {
                let at = at(parent, &mut all);
                all[at].plus.push(child);
                let before = before.and_then(|child| self.parent_of(child)).map(Key::of);
                all[at].has_new |= before != Some(Key::of(parent));
            }
        }
        all.into_iter().map(|of| self.difference(&of)).collect()
    }

    fn says_the_same(&self, before: &Document, after: &Document) -> bool {
        self.parent_of(before).map(Key::of) == self.parent_of(after).map(Key::of)
            && self.watched().all(|name| before.get(name) == after.get(name))
    }

    fn difference(&self, of: &OfParent<'_>) -> Delta {
        let (mut plus, mut minus) = (self.tally_of(&of.plus), self.tally_of(&of.minus));
        let is_large = |tally: &Tally| {
            tally.count as usize > DIFFERENCE_ELEMENTS
                && codec::encode(&doc! { "v": &tally.values })
                    .map_or(true, |encoded| encoded.as_bytes().len() > DIFFERENCE_BYTES)
        };
        let has_subset = self.fields.iter().any(|field| matches!(field.value, RollupValue::Subset { .. }));
        let reads_again = has_subset && (is_large(&plus) || is_large(&minus));
        if reads_again {
            for tally in [&mut plus, &mut minus] {
                self.forget_extremes(tally);
            }
        }
        let child = of.plus.first().or(of.minus.first()).and_then(|child| child.get("_id")).cloned();
        Delta {
            parent: of.parent.clone(),
            child: child.unwrap_or(Bson::Null),
            plus,
            minus,
            has_new: of.has_new,
            reads_again,
        }
    }

    /// Creates a difference that changes nothing.
    pub(in crate::derived::rollup) fn no_difference(&self, parent: &Bson) -> Delta {
        let (plus, minus) = (Tally::default(), Tally::default());
        Delta { parent: parent.clone(), child: Bson::Null, plus, minus, has_new: false, reads_again: false }
    }

    pub(in crate::derived::rollup) fn forget_extremes(&self, tally: &mut Tally) {
        for (field, values) in self.fields.iter().zip(&mut tally.values) {
            if field.value.is_extreme() {
                values.clear();
            }
        }
    }

    /// Returns a difference as a document of the collection of left differences, without the `_id`.
    pub(in crate::derived::rollup) fn left(&self, delta: &Delta) -> Document {
        let mut sums = Document::new();
        for (at, field) in self.fields.iter().enumerate() {
            let (plus, minus) = (delta.plus.of(at), delta.minus.of(at));
            if field.value.is_total() && !(plus.is_empty() && minus.is_empty()) {
                sums.insert(field.name, doc! { "plus": plus, "minus": minus });
            }
        }
        let changes_extremes = self
            .fields
            .iter()
            .enumerate()
            .any(|(at, field)| field.value.is_extreme() && delta.plus.of(at) != delta.minus.of(at));
        let extremes = delta.reads_again || changes_extremes;
        doc! { "count": delta.plus.count - delta.minus.count, "sums": sums, "extremes": extremes }
    }

    /// Adds up left differences of a parent.
    pub(in crate::derived::rollup) fn sum_of_left(&self, parent: Bson, left: &[Document]) -> Delta {
        let count = |document: &Document| document.get("count").and_then(integer).unwrap_or_default();
        let side = |side: &'static str| {
            let of_field = |name: &'static str| {
                let values = left.iter().filter_map(move |document| {
                    document.get_document("sums").ok()?.get_document(name).ok()?.get_array(side).ok()
                });
                values.flatten().cloned().collect::<Vec<_>>()
            };
            self.fields.iter().map(move |field| of_field(field.name)).collect::<Vec<_>>()
        };
        let (mut plus, mut minus) = (side("plus"), side("minus"));
        for (plus, minus) in plus.iter_mut().zip(&mut minus) {
            net(plus, minus);
        }
        Delta {
            parent,
            child: Bson::Null,
            plus: Tally { count: left.iter().map(count).sum(), values: plus },
            minus: Tally { count: 0, values: minus },
            has_new: false,
            reads_again: left.iter().any(|document| document.get_bool("extremes").unwrap_or(true)),
        }
    }
}

/// Replaces integers by one number when the sum fits 64 bits.
fn net(plus: &mut Vec<Bson>, minus: &mut Vec<Bson>) {
    let sum = |values: &[Bson]| values.iter().map(|value| integer(value).map(i128::from)).sum::<Option<i128>>();
    if let (Some(more), Some(less)) = (sum(plus), sum(minus))
        && let Ok(net) = i64::try_from(more - less)
    {
        minus.clear();
        *plus = vec![Bson::Int64(net)];
    }
}

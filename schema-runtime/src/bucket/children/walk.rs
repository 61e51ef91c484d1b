//! Reads children in the order of the buckets, from one end or from a place on, up to a wanted number.

use std::ops::ControlFlow;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};

use super::asked::Asked;
use crate::{
    bucket::layout::{ITEMS, Layout},
    error::Result,
    executor::Executor,
    field,
    page::Order,
    read::{Query, run},
};

/// The start, the direction and the length of a read.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    pub(super) asked: &'a Asked,
    pub(super) backward: bool,
    /// The bucket, the order and the `_id` of the child right before the first wanted child.
    pub(super) place: Option<&'a [Bson]>,
    pub(super) wanted: usize,
}

/// Children as documents, in the direction of the walk.
pub(super) struct Walked {
    pub(super) children: Vec<RawDocumentBuf>,
    /// The position of the first child of each bucket in `children`, and the part of a place that names the bucket.
    buckets: Vec<(usize, Vec<Bson>)>,
}

/// Returns the whole order of children: the order of the buckets, then the order inside each bucket.
pub(super) fn order(asked: &Asked) -> Order {
    let of_items = asked.layout.item_order().into_iter().map(|(name, _)| format!("{ITEMS}.{name}"));
    let keys = asked.page_order().into_iter().map(str::to_owned).chain(of_items);
    Order { keys: keys.map(|path| (path, false)).collect() }
}

impl Walk<'_> {
    /// Reads the children: one `find` of as many buckets as hold the children when all buckets but the last are full;
    /// another `find` when deletes have left too few children in the buckets.
    pub(super) fn read<'w>(&'w self, db: &'w dyn Executor) -> BoxFuture<'w, Result<Walked>> {
        Box::pin(async move {
            let few = self.query()?;
            let rest = Query { limit: 0, batch_size: 2 * few.limit as u32, ..few.clone() };
            for query in [few, rest] {
                let (limit, mut found, mut walked) = (query.limit, 0, Walked::none());
                let mut visit = |bucket: &RawDocument| {
                    found += 1;
                    walked.add(self.asked, bucket, self.backward)?;
                    let is_enough = walked.children.len() >= self.wanted;
                    Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
                };
                run::each(db, Ok(query), &mut visit).await?;
                if walked.children.len() >= self.wanted || found < limit || self.asked.number.is_some() {
                    walked.children.truncate(self.wanted);
                    return Ok(walked);
                }
                if limit == 0 {
                    return Ok(walked);
                }
            }
            Ok(Walked::none())
        })
    }

    /// Returns the first of the two queries.
    pub(super) fn query(&self) -> Result<Query> {
        let (layout, mut query) = (&self.asked.layout, self.asked.query(self.backward)?);
        if query.limit == 0 {
            query.limit = (self.wanted.div_ceil(layout.size().max(1)) as u64).saturating_add(1);
        }
        let Some(place) = self.place else {
            self.cut(&mut query);
            return Ok(query);
        };
        let whole = order(self.asked);
        let walked = if self.backward { whole.reversed() } else { whole };
        let of_buckets = self.asked.page_order().into_iter().zip(place);
        query.filter = field::and(query.filter, not_before(of_buckets, self.backward));
        query.projection = layout.projection_where(&(self.asked.fields)(), beyond(&walked, place));
        Ok(query)
    }

    /// Limits the children of a bucket to the wanted number, when all fields are read.
    fn cut(&self, query: &mut Query) {
        let wanted = self.wanted as i64;
        if self.wanted < self.asked.layout.size() && query.projection.contains_key(ITEMS) {
            query.projection.insert(ITEMS, doc! { "$slice": if self.backward { -wanted } else { wanted } });
        }
    }
}

/// Returns the condition for a bucket at the place or after the place: one range of the index for each key of the
/// bucket.
fn not_before<'p>(place: impl ExactSizeIterator<Item = (&'static str, &'p Bson)>, backward: bool) -> Document {
    let (last, mut ranges, mut equal) = (place.len() - 1, Vec::new(), Document::new());
    for (at, (name, value)) in place.enumerate() {
        let operator = match (backward, at == last) {
            (false, true) => "$gte",
            (false, false) => "$gt",
            (true, true) => "$lte",
            (true, false) => "$lt",
        };
        let mut range = equal.clone();
        range.insert(name, doc! { operator: value.clone() });
        ranges.push(range);
        equal.insert(name, doc! { "$eq": value.clone() });
    }
    match ranges.len() {
        1 => ranges.remove(0),
        _ => doc! { "$or": ranges },
    }
}

/// Returns the expression for a child that comes after a place, in the direction of the order. An expression compares
/// values like the sort of the stored children.
fn beyond(order: &Order, place: &[Bson]) -> Document {
    let operand = |path: &str| match path.strip_prefix(ITEMS) {
        Some(name) => format!("$$child{name}"),
        None => format!("${path}"),
    };
    let (mut ways, mut equal) = (Vec::new(), Vec::new());
    for ((path, descending), value) in order.keys.iter().zip(place) {
        let operands = [Bson::from(operand(path)), doc! { "$literal": value.clone() }.into()];
        let operator = if *descending { "$lt" } else { "$gt" };
        let mut way: Vec<Document> = equal.clone();
        way.push(doc! { operator: operands.to_vec() });
        ways.push(doc! { "$and": way });
        equal.push(doc! { "$eq": operands.to_vec() });
    }
    doc! { "$or": ways }
}

impl Walked {
    fn none() -> Self {
        Walked { children: Vec::new(), buckets: Vec::new() }
    }

    fn add(&mut self, asked: &Asked, bucket: &RawDocument, backward: bool) -> Result<()> {
        let of_bucket = asked.page_order().into_iter().map(|name| value_of(bucket, name));
        self.buckets.push((self.children.len(), of_bucket.collect()));
        let mut children = asked.layout.children(bucket)?;
        if backward {
            children.reverse();
        }
        self.children.extend(children);
        Ok(())
    }

    /// Returns the place of the child at a position of `children`, the children of the walk.
    pub(super) fn place(&self, layout: &Layout, children: &[RawDocumentBuf], at: usize) -> Vec<Bson> {
        let bucket = self.buckets.iter().rev().find(|(start, _)| *start <= at);
        let mut place = bucket.map(|(_, of_bucket)| of_bucket.clone()).unwrap_or_default();
        if let Some(child) = children.get(at) {
            place.extend(layout.item_order().keys().map(|name| value_of(child, name)));
        }
        place
    }
}

/// Returns a value of a document; a missing value is sorted as null.
fn value_of(document: &RawDocument, name: &str) -> Bson {
    let value = document.get(name).ok().flatten().and_then(|value| Bson::try_from(value).ok());
    value.unwrap_or(Bson::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_never_an_operator() {
        let order = Order { keys: vec![("page".to_owned(), false), ("items._id".to_owned(), false)] };
        let expected = doc! { "$or": [
            { "$and": [{ "$gt": ["$page", { "$literal": 3 }] }] },
            { "$and": [
                { "$eq": ["$page", { "$literal": 3 }] },
                { "$gt": ["$$child._id", { "$literal": "$page" }] },
            ] },
        ] };
        assert_eq!(beyond(&order, &[Bson::Int32(3), Bson::from("$page")]), expected);
    }
}

//! The keys of an index for a query: fields that are equal to a value, then the fields of the order, then ranges
//! (MongoDB's "ESR" guideline). A query in pages also needs `_id` behind the order.

use quote::{ToTokens, quote};

use super::{Operator, Query};
use crate::model::{Collation, Direction, Index, IndexKey, Origin, Record};

/// The keys that an index must have for a query: fields in any order, keys in a fixed order, fields in any order.
pub(crate) struct Need<'a> {
    pub(crate) query: &'a Query,
    pub(crate) equal: Vec<&'a [String]>,
    order: Vec<(Vec<String>, bool)>,
    ranges: Vec<&'a [String]>,
    /// Fields with a single value in all matching documents. A unique index over some of the fields finds the single
    /// document.
    single: Vec<&'a [String]>,
    record: &'a Record,
}

impl<'a> Need<'a> {
    /// Returns the need of a query; `None` when the index of `_id` serves the query.
    pub(crate) fn of(query: &'a Query, record: &'a Record) -> Option<Self> {
        let id = record.fields.iter().find(|field| field.name == "_id").map(|field| vec![field.rust_name.clone()]);
        let is_id = |path: &[String]| id.as_ref().is_some_and(|id| id.as_slice() == path);
        let with = |is: fn(Operator) -> bool| {
            let conditions = query.conditions.iter().filter(move |condition| is(condition.operator));
            conditions.map(|condition| condition.path.as_slice()).collect::<Vec<_>>()
        };
        // Fields with a single value come first: `$in` is a range of the index for each value.
        let (mut equal, single) = (with(Operator::is_equality), with(Operator::is_one_value));
        equal.sort_by_key(|path| !single.contains(path));
        // The index of `_id` compares by bytes; the rule `index_collation` refuses the query.
        if single.iter().any(|path| is_id(path)) {
            return None;
        }
        let mut order: Vec<(Vec<String>, bool)> =
            query.order.iter().map(|key| (key.path.clone(), key.descending)).collect();
        // A field with a single value gives no order, and behind `_id` no order is left to give.
        order.retain(|(path, _)| !single.contains(&path.as_slice()));
        if query.page.is_some()
            && let Some(id) = id.as_ref().filter(|id| order.iter().all(|(path, _)| path != *id))
        {
            order.push((id.clone(), order.last().is_some_and(|(_, descending)| *descending)));
        }
        if let Some(at) = order.iter().position(|(path, _)| is_id(path)) {
            order.truncate(at + 1);
        }
        let is_ordered = |path: &[String]| order.iter().any(|(other, _)| other == path);
        // Several values of a field are not an equality when the field is a key of the order.
        equal.retain(|path| single.contains(path) || !is_ordered(path));
        let mut ranges = with(|operator| !operator.is_equality());
        ranges.retain(|path| !is_ordered(path));
        // Without a condition on the first key, a server (6.0) reads the whole index for the order, and looks at no
        // further key.
        let is_asked = |path: &[String]| query.conditions.iter().any(|condition| condition.path == path);
        if equal.is_empty() && order.first().is_some_and(|(path, _)| !is_asked(path)) {
            ranges.clear();
        }
        let (first, rest) = (order.first(), equal.len() + ranges.len());
        let by_id_alone = rest == 0 && first.is_none_or(|(path, _)| is_id(path)) && order.len() <= 1;
        let range_of_id = equal.is_empty() && order.is_empty() && matches!(ranges.as_slice(), [path] if is_id(path));
        (!by_id_alone && !range_of_id).then_some(Need { query, equal, order, ranges, single, record })
    }

    pub(crate) fn len(&self) -> usize {
        self.equal.len() + self.order.len() + self.ranges.len()
    }

    /// Returns whether this index gives the documents in the order of the query.
    pub(crate) fn is_served_by(&self, index: &Index) -> bool {
        index.partial.is_empty() && self.fits(index)
    }

    /// Returns whether this index gives the documents of the index in the order of the query. The query also sends the
    /// filter of the index, so that a key of a fixed value needs no condition.
    pub(crate) fn fits(&self, index: &Index) -> bool {
        let is_asked = |path: &[String]| self.query.conditions.iter().any(|condition| condition.path == path);
        let keys: Vec<&IndexKey> =
            index.keys.iter().filter(|key| is_asked(&key.path) || !index.fixes(&key.path)).collect();
        let plain = |key: &IndexKey| matches!(key.direction, Direction::Ascending | Direction::Descending);
        if index.hidden.is_some()
            || index.sparse.is_some()
            || !keys.iter().copied().all(plain)
            || !Collation::same(index.collation.as_ref(), self.query.collation.as_ref())
        {
            return false;
        }
        if index.unique.is_some() && keys.iter().all(|key| self.single.contains(&key.path.as_slice())) {
            return true;
        }
        if index.leaves_out_nulls(self.record) {
            return false;
        }
        if keys.len() < self.len() {
            return false;
        }
        let (equal, rest) = keys.split_at(self.equal.len());
        let (order, rest) = rest.split_at(self.order.len());
        let among = |keys: &[&IndexKey], paths: &[&[String]]| {
            paths.iter().all(|path| keys.iter().any(|key| key.path.as_slice() == *path))
        };
        let turned = |key: &IndexKey, descending: bool| (key.direction == Direction::Descending) != descending;
        let is_ordered = |turn: bool| {
            let mut pairs = order.iter().zip(&self.order);
            pairs.all(|(key, (path, descending))| key.path == *path && turned(key, *descending) == turn)
        };
        among(equal, &self.equal)
            && (is_ordered(false) || is_ordered(true))
            && among(&rest[..self.ranges.len()], &self.ranges)
    }

    /// Returns the index, with the fields of equal values in this order.
    pub(crate) fn index(&self, equal: &[&[String]]) -> Index {
        let key = |path: &[String], descending: bool| IndexKey {
            path: path.to_vec(),
            direction: if descending { Direction::Descending } else { Direction::Ascending },
            tokens: tokens_of(self.query, path),
        };
        let equal = equal.iter().map(|path| key(path, false));
        let order = self.order.iter().map(|(path, descending)| key(path, *descending));
        let ranges = self.ranges.iter().map(|path| key(path, false));
        let keys = equal.chain(order).chain(ranges).collect();
        let collation = self.query.collation.clone();
        Index { collation, ..Index::plain(keys, Origin::Query(self.query.name.clone())) }
    }
}

fn tokens_of(query: &Query, path: &[String]) -> proc_macro2::TokenStream {
    let condition = query.conditions.iter().find(|condition| condition.path == path).map(|condition| &condition.tokens);
    let key = || query.order.iter().find(|key| key.path == path).map(|key| &key.tokens);
    let name = &query.name;
    condition.or_else(key).map_or_else(|| quote!(#name), ToTokens::to_token_stream)
}

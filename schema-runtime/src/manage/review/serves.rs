//! Finds the index of a collection that serves a declared query. Pure.

use mongodb::bson::{Bson, Document};

use crate::{
    definition::{ConditionOperator, ModelDefinition, QueryDefinition, QuerySize},
    document::top_field,
    indexes::{Index, index_keys},
    page::Order,
};

/// Returns the name of the index that serves a query: equal fields, then the order, then ranges. `None` when the query
/// reads every document.
pub(super) fn index_of(query: &QueryDefinition, model: &ModelDefinition, indexes: &[Index]) -> Option<String> {
    if let (Some(hint), Some(_)) = (query.hint, query.over) {
        return Some(hint.to_owned());
    }
    let need = Need::of(query, model);
    if need.single.iter().any(|path| path == "_id") {
        return Some(ID.to_owned());
    }
    let fits = indexes.iter().filter(|index| need.is_served_by(index, model));
    let shortest = fits.min_by_key(|index| index.keys.len()).map(|index| index.name.clone());
    shortest.or_else(|| need.is_of_id().then(|| ID.to_owned()))
}

/// The name of the `_id` index, present in every collection.
pub(super) const ID: &str = "_id_";

/// The requirements of a query on an index, in stored paths.
struct Need {
    /// The collation of the query.
    collation: Option<Document>,
    /// The paths with a condition on a single value.
    one: Vec<String>,
    /// The paths of `one` that equal the value as a whole. A unique index over some of these paths finds the document.
    single: Vec<String>,
    /// The paths with a condition on several values, except the paths in the order.
    several: Vec<String>,
    /// The paths of the order; `true` for descending.
    order: Vec<(String, bool)>,
    /// The paths with a range, except the paths in the order.
    ranges: Vec<String>,
}

impl Need {
    fn of(query: &QueryDefinition, model: &ModelDefinition) -> Self {
        let mut order = query.sort_keys(model);
        if let QuerySize::Page(_) = query.size {
            order = Order::new(order, false).keys;
        }
        let collation = query.collation.map(|collation| collation.to_document());
        let mut need =
            Need { collation, one: Vec::new(), single: Vec::new(), several: Vec::new(), order, ranges: Vec::new() };
        for condition in query.conditions {
            let path = model.stored_path(condition.path);
            let is_ordered = need.order.iter().any(|(other, _)| *other == path);
            if condition.operator == ConditionOperator::Equals {
                need.single.push(path.clone());
            }
            let paths = match condition.operator {
                ConditionOperator::Equals | ConditionOperator::Contains => &mut need.one,
                _ if is_ordered => continue,
                ConditionOperator::IsIn => &mut need.several,
                _ => &mut need.ranges,
            };
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        // When the server reads an index for the order alone, the server uses no further key of the index.
        let is_asked = |path: &str| query.conditions.iter().any(|condition| model.stored_path(condition.path) == path);
        if need.one.is_empty() && need.several.is_empty() && need.order.first().is_some_and(|(path, _)| !is_asked(path))
        {
            need.ranges.clear();
        }
        need
    }

    fn is_of_id(&self) -> bool {
        let asked: Vec<&String> =
            self.several.iter().chain(&self.ranges).chain(self.order.iter().map(|(path, _)| path)).collect();
        self.one.is_empty() && asked.len() == 1 && asked[0] == "_id"
    }

    fn is_served_by(&self, index: &Index, model: &ModelDefinition) -> bool {
        let keys: Vec<(&str, i64)> =
            index.keys.iter().map(|(path, direction)| (path.as_str(), sign(direction))).collect();
        if index.sparse || index.collation != self.collation || index.hidden || keys.iter().any(|(_, sign)| *sign == 0)
        {
            return false;
        }
        let is_single = |path: &str| self.single.iter().any(|other| other == path);
        if index.unique && !is_declared_partial(index, model) && keys.iter().all(|(path, _)| is_single(path)) {
            return true;
        }
        let equal = self.one.len() + self.several.len();
        let needed = equal + self.order.len() + self.ranges.len();
        if needed == 0 || keys.len() < needed || index.partial.is_some() || leaves_out_nulls(index, model) {
            return false;
        }
        let (first, rest) = keys.split_at(equal);
        let (order, rest) = rest.split_at(self.order.len());
        let among = |keys: &[(&str, i64)], path: &String| keys.iter().any(|(key, _)| key == path);
        let is_ordered = |turned: bool| {
            order
                .iter()
                .zip(&self.order)
                .all(|((key, sign), (path, descending))| key == path && (*sign < 0) == (*descending != turned))
        };
        self.one.iter().chain(&self.several).all(|path| among(first, path))
            && (is_ordered(false) || is_ordered(true))
            && self.ranges.iter().all(|path| among(&rest[..self.ranges.len()], path))
    }
}

/// Returns whether an attribute declares the filter of the index. A unique index over an `Option` leaves out the nulls
/// without an attribute.
fn is_declared_partial(index: &Index, model: &ModelDefinition) -> bool {
    let mut partial = model.all_indexes.iter().filter(|definition| definition.unique && !definition.partial.is_empty());
    index.partial.is_some() && partial.any(|definition| index_keys(model, definition) == index.keys)
}

/// Returns 1 or -1 for a direction; 0 for a key that gives no order.
fn sign(direction: &Bson) -> i64 {
    match direction {
        Bson::Int32(sign) => i64::from(*sign),
        Bson::Int64(sign) => *sign,
        _ => 0,
    }
}

/// Returns whether an index leaves out nulls: a unique index over a nullable field holds only documents with a value.
fn leaves_out_nulls(index: &Index, model: &ModelDefinition) -> bool {
    let optional = |path: &str| model.fields.iter().any(|field| field.name == top_field(path) && field.shape.nullable);
    index.unique && index.keys.keys().any(|path| optional(path))
}

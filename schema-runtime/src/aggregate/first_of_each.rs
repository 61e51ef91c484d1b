//! The first document of each group by one key of an index for each group. The server skips from group to group
//! (`DISTINCT_SCAN`) when the pipeline sorts in the order of the index and groups by the first key of the index.
//! Otherwise a `$top` needs no sort, and a sort of all documents would be the slower pipeline. Pure.

use mongodb::bson::Document;

use super::order::{ordered_keys, whole};
use crate::{
    definition::{AggregateDefinition, IndexDefinition, KeyForm, ModelDefinition, ValueKind},
    page::{Order, sort_by},
};

/// Returns the `$sort` before the `$group` of these documents; `None` when the server could not skip from group to
/// group.
pub(super) fn sort(model: &ModelDefinition, definition: &AggregateDefinition, filter: &Document) -> Option<Document> {
    let [key] = definition.keys else { return None };
    let is_single = model.resolve(key.path).is_some_and(|found| !found.optional && found.array_at == 0);
    let key_path = model.stored_path(key.path);
    // A router sorts all documents itself, and groups the documents by itself.
    if model.shard_key.is_some()
        || !matches!(key.form, KeyForm::Value)
        || !is_single
        || !definition.unwind.is_empty()
        || filter.keys().any(|path| *path != key_path)
    {
        return None;
    }
    let values = definition.values.iter().filter(|value| !matches!(value.kind, ValueKind::Lookup { .. }));
    let orders: Option<Vec<Order>> = values.map(|value| first_in(model, &value.kind)).collect();
    let orders = orders?;
    let order = orders.first().filter(|order| orders.iter().all(|other| other == *order))?;
    let index = model.all_indexes.iter().find_map(|index| direction_of_key(model, index, &key_path, order))?;
    let keys: Vec<(String, bool)> = [(key_path, index)].into_iter().chain(order.keys.iter().cloned()).collect();
    Some(sort_by(&keys))
}

/// Returns the order in which the value is the value of the first document; `None` for a value of several documents.
fn first_in(model: &ModelDefinition, kind: &ValueKind) -> Option<Order> {
    match kind {
        ValueKind::First { order, .. } | ValueKind::Top { order, most: 1, .. } => Some(whole(model, order)),
        ValueKind::Last { order, .. } => Some(whole(model, order).reversed()),
        _ => None,
    }
}

/// Returns whether the key descends when the index is read in this order behind the key; `None` when the index gives no
/// such order, or lacks documents.
fn direction_of_key(model: &ModelDefinition, index: &IndexDefinition, key: &str, order: &Order) -> Option<bool> {
    let keys = ordered_keys(model, index).filter(|_| index.is_plain())?;
    let ((_, descending), rest) = keys.split_first().filter(|((first, _), _)| first == key)?;
    let is_read = |order: &Order| rest.starts_with(&order.keys);
    match (is_read(order), is_read(&order.reversed())) {
        (true, _) => Some(*descending),
        (_, true) => Some(!descending),
        (false, false) => None,
    }
}

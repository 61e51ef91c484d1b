//! Orders of documents inside of groups and facets, and the indexes in which the server reads an order. Pure.

use crate::{
    definition::{Direction, IndexDefinition, IndexKey, ModelDefinition},
    page::Order,
};

/// Returns a declared order with `_id` at the end, so that the order has no equal documents.
pub(super) fn whole(model: &ModelDefinition, keys: &[IndexKey]) -> Order {
    Order::new(keys.iter().map(|key| (model.stored_path(key.path), key.direction == Direction::Descending)), false)
}

/// Returns the stored paths of an index that gives an order of all documents to a read without a collation, `true` for
/// descending; `None` for every other index.
pub(super) fn ordered_keys(model: &ModelDefinition, index: &IndexDefinition) -> Option<Vec<(String, bool)>> {
    if index.sparse || !index.partial.is_empty() || index.hidden || index.collation.is_some() {
        return None;
    }
    let key = |key: &IndexKey| {
        let descending = match key.direction {
            Direction::Ascending => false,
            Direction::Descending => true,
            _ => return None,
        };
        Some((model.stored_path_of(index, key.path), descending))
    };
    index.keys.iter().map(key).collect()
}

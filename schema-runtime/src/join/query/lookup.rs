//! The pipeline of a join on the server.

use mongodb::bson::{Bson, Document, doc};

use super::order_of;
use crate::{
    definition::ModelDefinition,
    join::relation_of,
    page::sort_by,
    read::{Aggregate, Query},
};

/// What is read of the joined side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    pub(crate) filter: Document,
    /// Stored paths; `true` for descending.
    pub(crate) keys: Vec<(String, bool)>,
    /// Of each document of the outer side; 0 for all.
    pub(crate) limit: u32,
    pub(crate) projection: Document,
}

impl Selection {
    /// Whether some of those that are joined may be left out.
    pub(crate) fn is_partial(&self) -> bool {
        !self.filter.is_empty() || self.limit > 0
    }

    /// Whether the server puts them in an order.
    pub(crate) fn is_ordered(&self) -> bool {
        !self.keys.is_empty() || self.limit > 0
    }
}

/// Each document that `outer` finds with those of `joined` that it refers to by its Rust field `field`.
pub(crate) fn lookup_referred(
    outer: &ModelDefinition,
    joined: &ModelDefinition,
    query: Query,
    field: &str,
    selection: Selection,
) -> Aggregate {
    let reference = format!("${}", relation_of(outer, field).path(outer));
    let sort = match selection.is_ordered() {
        // Without an order of the user's the first of many would be any.
        true if selection.keys.is_empty() => doc! { "_id": 1 },
        _ => sort_by(&selection.keys),
    };
    // An empty array finds nothing.
    let keys = [Bson::Array(Vec::new()), doc! { "$ifNull": [&reference, []] }.into()];
    lookup(query, joined.collection, keys, "_id", sort, selection)
}

/// Each document that `outer` finds with those of `joined` that refer to it by their Rust field `field`.
pub(crate) fn lookup_referring(joined: &ModelDefinition, query: Query, field: &str, selection: Selection) -> Aggregate {
    let relation = relation_of(joined, field);
    let sort = match selection.keys.is_empty() {
        true if relation.is_ordered() => order_of(joined, relation).sort(),
        _ => sort_by(&selection.keys),
    };
    // No field holds this: an empty array could find empty arrays.
    let keys = [doc! { "$literal": Bson::MinKey }.into(), "$_id".into()];
    lookup(query, joined.collection, keys, &relation.path(joined), sort, selection)
}

/// One row for each document that `outer` finds, then one row for each distinct one that is joined to it: small documents,
/// however many there are. `$lookup` is unwound at once: an array of children over 16 MB makes a 6.0 server close the connection.
///
/// A row has `k`, the outer document's `_id`; the first has `p`, the document; the others `c`, one that is joined, or nothing where
/// there is none. All references of a document are looked up together, and the order and the repeats are put back from it, so the
/// server may drop both. Both sides come of one pass: an array that changes meanwhile is seen in one state.
///
/// `keys` are what is looked up for the first row, which must find nothing, and for the others.
fn lookup(outer: Query, from: &str, keys: [Bson; 2], foreign: &str, sort: Document, selection: Selection) -> Aggregate {
    let Selection { filter, limit, projection, .. } = selection;
    let stages = [("$match", filter), ("$sort", sort)].into_iter().filter(|(_, stage)| !stage.is_empty());
    let mut inner: Vec<Document> = stages.map(|(name, stage)| doc! { name: stage }).collect();
    inner.extend((limit > 0).then(|| doc! { "$limit": i64::from(limit) }));
    inner.extend((!projection.is_empty()).then(|| doc! { "$project": projection }));
    let mut join = doc! { "from": from, "localField": "r", "foreignField": foreign, "as": "c" };
    if !inner.is_empty() {
        join.insert("pipeline", inner);
    }
    let Aggregate { collection, mut pipeline } = outer.into_aggregate();
    pipeline.extend([
        doc! { "$project": { "_id": 0, "k": "$_id", "p": "$$ROOT", "r": keys.to_vec() } },
        doc! { "$unwind": { "path": "$r", "includeArrayIndex": "i" } },
        doc! { "$lookup": join },
        doc! { "$unwind": { "path": "$c", "preserveNullAndEmptyArrays": true } },
        doc! { "$project": { "k": 1, "p": { "$cond": [{ "$eq": ["$i", 0] }, "$p", "$$REMOVE"] }, "c": 1 } },
    ]);
    Aggregate { collection, pipeline }
}

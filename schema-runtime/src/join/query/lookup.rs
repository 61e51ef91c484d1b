//! The pipeline of a join on the server.

use mongodb::bson::{Bson, Document, doc};

use super::order_of;
use crate::{
    definition::ModelDefinition,
    join::relation_of,
    page::sort_by,
    read::{Aggregate, Query},
};

/// The selection of the joined documents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    pub(crate) filter: Document,
    /// Stored paths; `true` for descending.
    pub(crate) keys: Vec<(String, bool)>,
    /// The maximum number of joined documents for each outer document; 0 for all.
    pub(crate) limit: u32,
    pub(crate) projection: Document,
}

impl Selection {
    /// Returns whether the selection may leave out joined documents.
    pub(crate) fn is_partial(&self) -> bool {
        !self.filter.is_empty() || self.limit > 0
    }

    /// Returns whether the server orders the joined documents.
    pub(crate) fn is_ordered(&self) -> bool {
        !self.keys.is_empty() || self.limit > 0
    }
}

/// Joins each document that `outer` finds with the documents of `joined` that the Rust field `field` of the outer
/// document refers to.
pub(crate) fn lookup_referred(
    outer: &ModelDefinition,
    joined: &ModelDefinition,
    query: Query,
    field: &str,
    selection: Selection,
) -> Aggregate {
    let reference = format!("${}", relation_of(outer, field).path(outer));
    let sort = match selection.is_ordered() {
        // A limit without a sort of the user would choose any documents, so the sort is by `_id`.
        true if selection.keys.is_empty() => doc! { "_id": 1 },
        _ => sort_by(&selection.keys),
    };
    // An empty array finds nothing.
    let keys = [Bson::Array(Vec::new()), doc! { "$ifNull": [&reference, []] }.into()];
    lookup(query, joined.collection, keys, "_id", sort, selection)
}

/// Joins each document that `outer` finds with the documents of `joined` that refer to the outer document by the Rust
/// field `field`.
pub(crate) fn lookup_referring(joined: &ModelDefinition, query: Query, field: &str, selection: Selection) -> Aggregate {
    let relation = relation_of(joined, field);
    let sort = match selection.keys.is_empty() {
        true if relation.is_ordered() => order_of(joined, relation).sort(),
        _ => sort_by(&selection.keys),
    };
    // No field holds MinKey; an empty array could find empty arrays.
    let keys = [doc! { "$literal": Bson::MinKey }.into(), "$_id".into()];
    lookup(query, joined.collection, keys, &relation.path(joined), sort, selection)
}

/// Makes one row for each document that `outer` finds, then one row for each distinct joined document: small rows,
/// however many documents are joined. The pipeline unwinds `$lookup` at once: an array of children over 16 MB makes a
/// 6.0 server close the connection.
///
/// A row has `k`, the `_id` of the outer document. The first row of an outer document also has `p`, the outer document.
/// Each further row has `c`, a joined document, or no `c` without joined documents. All references of a document are
/// looked up together. The order and the repeats are restored from the outer document, so the server may drop both. One
/// pass reads both sides: an array that changes meanwhile is seen in one state.
///
/// `keys` are the keys of the lookup: first the key for the first row, with no match, then the key for the further
/// rows.
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

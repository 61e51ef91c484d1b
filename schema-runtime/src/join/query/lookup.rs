//! The pipeline of a join on the server.

use mongodb::bson::{Document, doc};

use crate::{
    definition::ModelDefinition,
    join::{Fields, relation_of},
    read::Aggregate,
};

/// One row for each parent that `filter` finds, then one row for each distinct child of it: small documents, whatever the
/// array holds. `$lookup` is unwound at once: an array of children over 16 MB makes a 6.0 server close the connection.
///
/// A row has `k`, the parent's `_id`; the first has `p`, the parent; the others `c`, a child, or nothing where there is none.
/// All references of a parent are looked up together, and the order and the repeats are put back from the parent, so the
/// server may drop both. Parents and children come of one pass: an array that changes meanwhile is seen in one state.
pub(crate) fn lookup(
    parent: &ModelDefinition,
    child: &ModelDefinition,
    filter: Document,
    field: &str,
    fields: Fields,
) -> Aggregate {
    let reference = format!("${}", relation_of(parent, field).path(parent));
    let references = doc! { "$ifNull": [&reference, []] };
    let mut join = doc! { "from": child.collection, "localField": "r", "foreignField": "_id", "as": "c" };
    let fields = fields();
    if !fields.is_empty() {
        join.insert("pipeline", vec![doc! { "$project": fields }]);
    }
    let pipeline = vec![
        doc! { "$match": filter },
        // The empty array leads, and finds no child: its row has the parent.
        doc! { "$project": { "_id": 0, "k": "$_id", "p": "$$ROOT", "r": [[], references] } },
        doc! { "$unwind": { "path": "$r", "includeArrayIndex": "i" } },
        doc! { "$lookup": join },
        doc! { "$unwind": { "path": "$c", "preserveNullAndEmptyArrays": true } },
        doc! { "$project": { "k": 1, "p": { "$cond": [{ "$eq": ["$i", 0] }, "$p", "$$REMOVE"] }, "c": 1 } },
    ];
    Aggregate { collection: Some(parent.collection), pipeline }
}

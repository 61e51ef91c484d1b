//! The pipeline for the first children of each of many parents.

use mongodb::bson::{Bson, Document, doc};

use super::order_of;
use crate::{
    definition::ModelDefinition,
    join::{Fields, relation_of},
    read::Aggregate,
};

/// Makes a separate search for each parent; a search ends after `limit` keys of the index. A row has `k`, the `_id` of
/// the parent, and `c`, a child.
pub(crate) fn first_each(
    child: &ModelDefinition,
    parents: Vec<Bson>,
    field: &str,
    limit: u32,
    fields: Fields,
) -> Aggregate {
    let relation = relation_of(child, field);
    let parents: Vec<Document> = parents.into_iter().map(|id| doc! { "k": { "$literal": id } }).collect();
    let mut first = vec![doc! { "$sort": order_of(child, relation).sort() }, doc! { "$limit": i64::from(limit) }];
    let fields = fields();
    if !fields.is_empty() {
        first.push(doc! { "$project": fields });
    }
    let search = doc! {
        "from": child.collection,
        "localField": "k", "foreignField": relation.path(child),
        "pipeline": first,
        "as": "c",
    };
    let pipeline = vec![doc! { "$documents": parents }, doc! { "$lookup": search }, doc! { "$unwind": "$c" }];
    Aggregate { collection: None, pipeline }
}

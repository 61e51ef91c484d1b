//! The pipeline for the first children of each of many parents.

use mongodb::bson::{Bson, Document, doc};

use super::Order;
use crate::join::Fields;

/// For each parent its own search, which ends after `limit` keys of the index. A row has `k`, the parent's `_id`, and `c`,
/// a child.
pub(crate) fn latest_each(
    parents: Vec<Bson>,
    field: &str,
    children: &'static str,
    order: &Order,
    limit: u32,
    fields: Fields,
) -> Vec<Document> {
    let parents: Vec<Document> = parents.into_iter().map(|id| doc! { "k": { "$literal": id } }).collect();
    let mut first = vec![doc! { "$sort": order.sort() }, doc! { "$limit": i64::from(limit) }];
    let fields = fields();
    if !fields.is_empty() {
        first.push(doc! { "$project": fields });
    }
    vec![
        doc! { "$documents": parents },
        doc! { "$lookup": { "from": children, "localField": "k", "foreignField": field, "pipeline": first, "as": "c" } },
        doc! { "$unwind": "$c" },
    ]
}

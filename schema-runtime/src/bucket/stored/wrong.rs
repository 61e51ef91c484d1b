//! Expressions of the server that find the defects of a bucket, and the update that repairs the bucket. Pure.

use mongodb::bson::{Bson, Document, doc};

use crate::definition::{
    BucketDefinition,
    stored::{COUNT, EMPTIED, FIRST, FOLLOWED, ITEMS, LAST},
};

/// Returns the expression that is true when the data of a bucket contradict the children. [`right`] writes the right
/// data.
pub(super) fn is_wrong(bucket: &BucketDefinition) -> Document {
    let mut either = vec![
        Bson::from(doc! { "$ne": [field(COUNT), { "$size": items() }] }),
        Bson::from(doc! { "$ne": [keys(bucket, items()), keys(bucket, sorted(bucket))] }),
    ];
    if let Some(of_items) = order(bucket) {
        let narrow = doc! { "$or": [
            { "$lte": [field(FIRST), Bson::Null] },
            { "$gt": [field(FIRST), { "$min": &of_items }] },
            { "$lte": [field(LAST), Bson::Null] },
            { "$lt": [field(LAST), { "$max": &of_items }] },
        ] };
        either.push(Bson::from(doc! { "$and": [has_children(), narrow] }));
    }
    doc! { "$and": [{ "$isArray": field(ITEMS) }, { "$or": either }] }
}

/// Returns the expression that is true when the right data cannot be known: a child is in the bucket twice, or the
/// array of children is missing.
pub(super) fn is_ambiguous() -> Document {
    let ids = doc! { "$map": { "input": items(), "as": "child", "in": "$$child._id" } };
    let is_repeated = doc! { "$ne": [{ "$size": { "$setUnion": [ids] } }, { "$size": items() }] };
    doc! { "$or": [{ "$not": { "$isArray": field(ITEMS) } }, is_repeated] }
}

/// Returns the update of a bucket by the bucket's own children. The bounds of a bucket without children stay. The
/// update also sets the mark of a following bucket: a wrong bucket could not get the mark, and the mark does no harm in
/// a bucket without a following bucket.
pub(super) fn right(bucket: &BucketDefinition) -> Vec<Document> {
    let mut set = doc! {
        ITEMS: sorted(bucket),
        COUNT: { "$size": items() },
        FOLLOWED: true,
        EMPTIED: { "$cond": [has_children(), "$$REMOVE", field(EMPTIED)] },
    };
    if let Some(of_items) = order(bucket) {
        set.insert(FIRST, doc! { "$cond": [has_children(), { "$min": &of_items }, field(FIRST)] });
        set.insert(LAST, doc! { "$cond": [has_children(), { "$max": of_items }, field(LAST)] });
    }
    vec![doc! { "$set": set }]
}

fn field(name: &str) -> String {
    format!("${name}")
}

fn items() -> Document {
    doc! { "$cond": [{ "$isArray": field(ITEMS) }, field(ITEMS), []] }
}

pub(super) fn has_children() -> Document {
    doc! { "$gt": [{ "$size": items() }, 0] }
}

fn sorted(bucket: &BucketDefinition) -> Document {
    doc! { "$sortArray": { "input": items(), "sortBy": bucket.item_order() } }
}

/// Returns the sort keys of each child.
fn keys(bucket: &BucketDefinition, children: Document) -> Document {
    let names = bucket.item_order();
    let key: Vec<String> = names.keys().map(|name| format!("$$child.{name}")).collect();
    doc! { "$map": { "input": children, "as": "child", "in": key } }
}

/// Returns the values of the order field.
fn order(bucket: &BucketDefinition) -> Option<Document> {
    let value = format!("$$child.{}", bucket.order?.name);
    Some(doc! { "$map": { "input": items(), "as": "child", "in": value } })
}

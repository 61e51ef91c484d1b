//! What is wrong with a bucket, as expressions of the server, and the update that writes it right. Pure.

use mongodb::bson::{Bson, Document, doc};

use crate::definition::{
    BucketDefinition,
    stored::{COUNT, EMPTIED, FIRST, FOLLOWED, ITEMS, LAST},
};

/// Whether a bucket says something else of its children than they are: what [`right`] writes.
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

/// Whether what is right cannot be known: a child is in it twice, or it has no array of children.
pub(super) fn is_ambiguous() -> Document {
    let ids = doc! { "$map": { "input": items(), "as": "child", "in": "$$child._id" } };
    let is_repeated = doc! { "$ne": [{ "$size": { "$setUnion": [ids] } }, { "$size": items() }] };
    doc! { "$or": [{ "$not": { "$isArray": field(ITEMS) } }, is_repeated] }
}

/// The update of a bucket by its own children. Bounds of a bucket without children stay. That another one follows it could not be written while it was
/// wrong, and does no harm where none does.
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

/// By what children are sorted, of each of them.
fn keys(bucket: &BucketDefinition, children: Document) -> Document {
    let names = bucket.item_order();
    let key: Vec<String> = names.keys().map(|name| format!("$$child.{name}")).collect();
    doc! { "$map": { "input": children, "as": "child", "in": key } }
}

/// The values of the order field.
fn order(bucket: &BucketDefinition) -> Option<Document> {
    let value = format!("$$child.{}", bucket.order?.name);
    Some(doc! { "$map": { "input": items(), "as": "child", "in": value } })
}

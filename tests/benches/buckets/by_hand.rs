//! The code of a user of the driver: for comments as documents, and for comments in buckets.

use futures_util::TryStreamExt;
use schema_runtime::{
    bson::{DateTime, Document, doc},
    mongodb::Collection,
};
use serde::Deserialize;

use crate::data::{Comment, Data, LinkedComment, PAGE, PUSHED_BY_HAND, comment, linked};

fn collection(data: &Data) -> Collection<LinkedComment> {
    data.db.collection("linked_comments")
}

async fn read(data: &Data, filter: Document, direction: i32) -> u64 {
    let found = collection(data)
        .find(filter)
        .sort(doc! { "created_on": direction, "_id": direction })
        .limit(PAGE)
        .await
        .expect("a find");
    let all: Vec<LinkedComment> = found.try_collect().await.expect("comments");
    all.iter().map(|comment| comment.id.unsigned_abs()).sum()
}

pub(crate) async fn page(data: &Data) -> u64 {
    let (post, page) = data.next();
    read(data, doc! { "post": post.id, "created_on": { "$gt": data.before(post.id, page) } }, 1).await
}

pub(crate) async fn latest(data: &Data) -> u64 {
    let (post, _) = data.next();
    read(data, doc! { "post": post.id }, -1).await
}

pub(crate) async fn insert(data: &Data) -> u64 {
    let id = data.new_id();
    collection(data).insert_one(linked(comment(id, id % 50))).await.expect("an insert");
    1
}

pub(crate) async fn insert_many(data: &Data) -> u64 {
    let (first, post) = (data.new_id() * 1_000, 100);
    let many: Vec<LinkedComment> = (first..first + PAGE).map(|id| linked(comment(id, post))).collect();
    collection(data).insert_many(many).await.expect("inserts");
    1
}

/// A comment inside a bucket.
#[derive(Deserialize)]
struct Item {
    #[serde(rename = "_id")]
    id: i64,
    #[serde(rename = "created_on")]
    _created_on: DateTime,
    #[serde(rename = "author")]
    _author: String,
    #[serde(rename = "text")]
    _text: String,
}

#[derive(Deserialize)]
struct Bucket {
    items: Vec<Item>,
}

/// Reads the same bucket as this crate, by the same index.
pub(crate) async fn bucket(data: &Data) -> u64 {
    let (post, page) = data.next();
    let collection = data.db.collection::<Bucket>("comments");
    let found = collection.find_one(doc! { "post": post.id, "page": page }).projection(doc! { "_id": 0, "items": 1 });
    let found = found.await.expect("a find").expect("a bucket");
    found.items.iter().map(|item| item.id.unsigned_abs()).sum()
}

/// The documented bucket pattern: an upsert of a bucket with capacity. The pattern keeps no order and does not detect a
/// stored comment with the same `_id`; the buckets have the same validator.
pub(crate) async fn push(data: &Data) -> u64 {
    let id = data.new_id();
    let Comment { created_on, author, text, .. } = comment(id, id % 50);
    let update = doc! {
        "$push": { "items": { "_id": id, "created_on": created_on, "author": author, "text": text } },
        "$inc": { "count": 1 },
        "$min": { "first": created_on },
        "$max": { "last": created_on },
        "$setOnInsert": { "page": id },
    };
    let filter = doc! { "post": id % 50, "count": { "$lt": PAGE } };
    let collection = data.db.collection::<Document>(PUSHED_BY_HAND);
    collection.update_one(filter, update).upsert(true).await.expect("a push");
    1
}

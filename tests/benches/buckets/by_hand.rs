//! What one would write with the driver, for comments that are documents.

use futures_util::TryStreamExt;
use schema_runtime::{
    bson::{Document, doc},
    mongodb::Collection,
};

use crate::data::{Data, LinkedComment, PAGE, comment, linked};

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

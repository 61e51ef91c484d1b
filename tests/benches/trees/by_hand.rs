//! What one would write with the driver: the same range, a `$graphLookup`, and updates of the document and of all below it, without a
//! transaction and without anything that keeps circles and wrong paths away.

use futures_util::{TryStreamExt, future::join_all};
use schema_runtime::bson::{Document, doc};

use crate::data::{Comment, Data, LARGE, SMALL};

/// An `_id` in a path.
fn text(id: i64) -> String {
    format!("{:016x}:", id.cast_unsigned() ^ (1 << 63))
}

/// The path of the children of a document.
async fn below(data: &Data, id: i64) -> String {
    let comments = data.db.collection::<Document>("comments");
    let found = comments.find_one(doc! { "_id": id }).projection(doc! { "path": 1 }).await.expect("a find");
    format!("{}{}", found.expect("the document").get_str("path").expect("a path"), text(id))
}

fn range(path: &str) -> Document {
    doc! { "path": { "$gte": path, "$lt": format!("{};", path.trim_end_matches(':')) } }
}

pub(crate) async fn subtree(data: &Data) -> u64 {
    let comments = data.db.collection::<Comment>("comments");
    let top = comments.find_one(doc! { "_id": LARGE }).await.expect("a find").expect("the top");
    let path = format!("{}{}", top.path.as_str(), text(LARGE));
    let found = comments.find(range(&path)).batch_size(1_000_000).await.expect("a find");
    found.try_collect::<Vec<Comment>>().await.expect("a subtree").len() as u64
}

pub(crate) async fn looked_up(data: &Data) -> u64 {
    let comments = data.db.collection::<Document>("comments");
    let found = comments
        .aggregate([
            doc! { "$match": { "_id": LARGE } },
            doc! { "$graphLookup": {
                "from": "comments", "startWith": "$_id", "connectFromField": "_id", "connectToField": "parent", "as": "below",
            } },
            doc! { "$unwind": "$below" },
            doc! { "$replaceWith": "$below" },
        ])
        .with_type::<Comment>()
        .await
        .expect("an aggregate");
    found.try_collect::<Vec<Comment>>().await.expect("a subtree").len() as u64
}

async fn move_one(data: &Data, id: i64, under: i64) -> u64 {
    let comments = data.db.collection::<Document>("comments");
    let (old, above) = (below(data, id).await, below(data, under).await);
    let new = format!("{above}{}", text(id));
    let own = doc! { "$set": { "parent": under, "path": above } };
    comments.update_one(doc! { "_id": id }, own).await.expect("an update");
    let length = i64::try_from(old.len()).expect("a length");
    let path = doc! { "$concat": [new, { "$substrBytes": ["$path", length, -1] }] };
    comments.update_many(range(&old), vec![doc! { "$set": { "path": path } }]).await.expect("an update");
    1
}

pub(crate) async fn move_many(data: &Data) -> u64 {
    move_one(data, LARGE, data.another()).await
}

pub(crate) async fn move_few(data: &Data) -> u64 {
    move_one(data, SMALL[0], data.another()).await
}

pub(crate) async fn movers(data: &Data) -> u64 {
    let under = data.another();
    join_all(SMALL.map(|id| move_one(data, id, under))).await.iter().sum()
}

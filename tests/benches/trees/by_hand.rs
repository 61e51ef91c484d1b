//! The code of a user of the driver: an equal range, a `$graphLookup`, and updates of the document and of all
//! descendants, without a transaction and without a protection from circles and wrong paths.

use futures_util::{TryStreamExt, future::join_all};
use schema_runtime::bson::{Document, doc};

use crate::data::{Comment, Data, LARGE, PAGE, SMALL};

/// Returns the text of an `_id` in a path.
fn text(id: i64) -> String {
    format!("{:016x}:", id.cast_unsigned() ^ (1 << 63))
}

/// Returns the path of the children of a document.
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

/// Returns a pipeline that finds all descendants, by the references to parents.
fn graph() -> [Document; 4] {
    [
        doc! { "$match": { "_id": LARGE } },
        doc! { "$graphLookup": {
            "from": "comments", "startWith": "$_id", "connectFromField": "_id", "connectToField": "parent", "as": "below",
        } },
        doc! { "$unwind": "$below" },
        doc! { "$replaceWith": "$below" },
    ]
}

async fn read(data: &Data, pipeline: impl IntoIterator<Item = Document>) -> u64 {
    let comments = data.db.collection::<Document>("comments");
    let found = comments.aggregate(pipeline).with_type::<Comment>().await.expect("an aggregate");
    found.try_collect::<Vec<Comment>>().await.expect("a subtree").len() as u64
}

pub(crate) async fn looked_up(data: &Data) -> u64 {
    read(data, graph()).await
}

pub(crate) async fn page_looked_up(data: &Data) -> u64 {
    let page = [doc! { "$sort": { "path": 1, "_id": 1 } }, doc! { "$limit": PAGE }];
    read(data, graph().into_iter().chain(page)).await
}

pub(crate) async fn count_looked_up(data: &Data) -> u64 {
    let comments = data.db.collection::<Document>("comments");
    let [matched, looked_up, ..] = graph();
    let number = doc! { "$project": { "n": { "$size": "$below" } } };
    let mut found = comments.aggregate([matched, looked_up, number]).await.expect("an aggregate");
    assert!(found.advance().await.expect("a row"));
    found.current().get_i32("n").expect("a number").unsigned_abs().into()
}

/// Returns the old and the new path of the children of a document, and the new path of the document.
async fn paths(data: &Data, id: i64, under: i64) -> (String, String, String) {
    let (old, above) = (below(data, id).await, below(data, under).await);
    (old, format!("{above}{}", text(id)), above)
}

/// Returns an update that replaces the old path by the new path.
fn rewriting(old: &str, new: &str) -> Vec<Document> {
    let length = i64::try_from(old.len()).expect("a length");
    let path = doc! { "$concat": [new, { "$substrBytes": ["$path", length, -1] }] };
    vec![doc! { "$set": { "path": path } }]
}

async fn move_one(data: &Data, id: i64, under: i64) -> u64 {
    let comments = data.db.collection::<Document>("comments");
    let (old, new, above) = paths(data, id, under).await;
    let own = doc! { "$set": { "parent": under, "path": above } };
    comments.update_one(doc! { "_id": id }, own).await.expect("an update");
    comments.update_many(range(&old), rewriting(&old, &new)).await.expect("an update");
    1
}

pub(crate) async fn move_many_together(data: &Data) -> u64 {
    let comments = data.db.collection::<Document>("comments");
    let under = data.another();
    let (old, new, above) = paths(data, LARGE, under).await;
    let mut session = data.db.client().start_session().await.expect("a session");
    session.start_transaction().await.expect("a transaction");
    let own = doc! { "$set": { "parent": under, "path": above } };
    comments.update_one(doc! { "_id": LARGE }, own).session(&mut session).await.expect("an update");
    comments.update_many(range(&old), rewriting(&old, &new)).session(&mut session).await.expect("an update");
    session.commit_transaction().await.expect("a commit");
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

//! Up to a million documents move into buckets in little memory, and are verified in the buckets. The memory use is
//! known for a whole process only: a second process does the work.

use std::time::Instant;

use mongodb::{Database, bson::doc};
use schema_runtime::{Throttle, prelude::*, schema};
use schema_tests::{
    process::{alone, peak, prepared, run_again},
    scale,
};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(size = 50))]
struct Comment {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(created_on))]
    post: Ref<Post>,
    created_on: DateTime,
    #[bound(max_len = 100)]
    text: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "linked_comments")]
struct LinkedComment {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(created_on))]
    post: Ref<Post>,
    created_on: DateTime,
    #[bound(max_len = 100)]
    text: String,
}

const POSTS: i64 = 1_000;

/// The most memory, in KiB, that the process may hold in addition to an idle client.
const MOST: u64 = 64 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_children_in_little_memory() {
    if let Some(db) = prepared().await {
        return move_them(&db).await;
    }
    let alone = alone().await;
    let (_, db) = &alone;
    let children = i64::from(scale::MIGRATED_CHILDREN.now());
    schema![Post, Comment, LinkedComment].plan(db).await.unwrap().apply(db).await.unwrap();
    let posts: Vec<Post> = (0..POSTS).map(|id| Post { id }).collect();
    Post::insert_many(db, &posts).await.unwrap();
    // The server makes the comments: comments on a thousand posts, in the order of arrival.
    let ids =
        doc! { "$map": { "input": { "$range": [0, children] }, "as": "id", "in": { "_id": { "$toLong": "$$id" } } } };
    let text =
        doc! { "$concat": ["comment number ", { "$toString": "$_id" }, " of very many, which is not that long"] };
    let comment = doc! { "post": { "$mod": ["$_id", POSTS] }, "created_on": { "$toDate": "$_id" }, "text": text };
    let merge = doc! { "$merge": { "into": { "db": db.name(), "coll": "linked_comments" } } };
    db.aggregate(vec![doc! { "$documents": ids }, doc! { "$set": comment }, merge]).await.unwrap();

    run_again("buckets::memory::many_children_in_little_memory", &alone).await;
    assert_eq!(LinkedComment::find(Filter::all()).count(db).await.unwrap(), 0);
    let comments = db.collection::<mongodb::bson::Document>("comments");
    let full = doc! { "count": 50, "$expr": { "$eq": [{ "$size": "$items" }, 50] } };
    assert_eq!(comments.count_documents(full).await.unwrap() as i64, children / POSTS / 50 * POSTS);
}

async fn move_them(db: &Database) {
    db.run_command(doc! { "ping": 1 }).await.unwrap();
    let (idle, begun) = (peak(), Instant::now());
    let children = u64::from(scale::MIGRATED_CHILDREN.now());
    assert_eq!(Comment::into_buckets::<LinkedComment>(db, &Throttle::new()).await.unwrap(), children);
    let (moved, took) = (peak(), begun.elapsed());
    assert!(schema![Post, Comment, LinkedComment].verify(db).await.unwrap().is_clean());
    assert!(schema![Post, Comment, LinkedComment].repair(db, &Throttle::new()).await.unwrap().is_empty());
    let verified = peak();
    println!("{children} in {took:?}, peak {moved} KiB: {idle} idle, {verified} after verify and repair");
    assert!(verified - idle < MOST, "{verified} KiB, {idle} of an idle client");
}

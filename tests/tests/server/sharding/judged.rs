//! Shard keys judged by the stored documents.

use mongodb::bson::{Document, doc};
use schema_runtime::{prelude::*, schema, sharding::ShardKeyFinding};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "visits")]
#[shard_key(page, time, distinct(page = 500))]
struct Visit {
    #[serde(rename = "_id")]
    id: i64,
    page: i64,
    time: DateTime,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "bills")]
#[shard_key(number, distinct(number = 100_000))]
struct Bill {
    #[serde(rename = "_id")]
    id: i64,
    number: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "games")]
#[shard_key(hashed(id))]
struct Game {
    #[serde(rename = "_id")]
    id: i64,
}

#[tokio::test]
async fn by_the_documents_that_are_there() {
    let db = database().await;
    let schema = schema![Visit, Bill, Game];
    assert!(schema.judge_shard_keys(&db).await.unwrap().is_empty(), "no documents, nothing to judge");
    // Pages in turn, ascending numbers, hashed `_id`s.
    let visit = |id: i64| doc! { "_id": id, "page": id * 7919 % 100, "time": DateTime::from_millis(id / 2) };
    db.collection::<Document>("visits").insert_many((0..4_000).map(visit)).await.unwrap();
    db.collection::<Document>("bills")
        .insert_many((0..4_000_i64).map(|id| doc! { "_id": id, "number": id }))
        .await
        .unwrap();
    db.collection::<Document>("games").insert_many((0..4_000_i64).map(|id| doc! { "_id": id })).await.unwrap();
    let judged = schema.judge_shard_keys(&db).await.unwrap();
    let of = |collection: &str| judged.iter().find(|judged| judged.collection == collection).unwrap();
    let visits = of("visits");
    assert_eq!((visits.documents, visits.sampled, visits.distinct), (4_000, 4_000, 4_000));
    assert!(visits.findings.is_empty() && visits.newest_at_the_end.unwrap() < 0.2, "{visits}");
    let bills = of("bills");
    assert_eq!(bills.findings, [ShardKeyFinding::Ascending], "{bills}");
    assert!(
        bills
            .to_string()
            .starts_with("bills by {number: 1}: 4000 values in 4000 sampled documents, the most frequent has 1; "),
        "{bills}"
    );
    let games = of("games");
    assert!(games.findings.is_empty() && games.newest_at_the_end.is_none(), "{games}");

    // Nearly all documents have the same number, and the documents are large.
    db.collection::<Document>("bills").drop().await.unwrap();
    let large = |id: i64| doc! { "_id": id, "number": i64::from(id % 40 == 0), "text": "x".repeat(900_000) };
    for part in 0..10 {
        db.collection::<Document>("bills").insert_many((part * 12..part * 12 + 12).map(large)).await.unwrap();
    }
    let judged = schema.judge_shard_keys(&db).await.unwrap();
    let bills = judged.iter().find(|judged| judged.collection == "bills").unwrap();
    assert_eq!(bills.findings, [ShardKeyFinding::FewValues, ShardKeyFinding::LargeValue], "{bills}");
}

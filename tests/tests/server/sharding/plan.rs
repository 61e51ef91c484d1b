//! A plan gives collections of a cluster their shard keys: a real config server and two real shards judge each key.

use mongodb::bson::{Document, doc, oid::ObjectId};
use schema_runtime::{apply::ApplyOptions, plan::Change, prelude::*, schema, sharding::ShardingKind};
use schema_tests::router;

mod first {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "orders")]
    #[shard_key(customer, number, distinct(customer = 50_000))]
    pub(super) struct Order {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        pub(super) customer: i64,
        pub(super) number: i64,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "games")]
    #[shard_key(hashed(id))]
    pub(super) struct Game {
        #[serde(rename = "_id")]
        pub(super) id: i64,
    }
}

/// The models of `first` with an additional field in the key.
mod refined {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "orders")]
    #[shard_key(customer, number, id, distinct(customer = 50_000))]
    pub(super) struct Order {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        pub(super) customer: i64,
        pub(super) number: i64,
    }
}

/// The model `Order` with another key.
mod other {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "orders")]
    #[shard_key(hashed(id))]
    pub(super) struct Order {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        pub(super) customer: i64,
        pub(super) number: i64,
    }
}

/// The model `Order` without a declared key.
mod undeclared {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "orders")]
    pub(super) struct Order {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        pub(super) customer: i64,
        pub(super) number: i64,
    }
}

pub(super) async fn new_database() -> Database {
    router().await.database(&format!("sharding_{}", ObjectId::new().to_hex())).await
}

/// Returns the key of a collection in the cluster.
async fn key(db: &Database, collection: &str) -> Option<Document> {
    let id = format!("{}.{collection}", db.name());
    let collections = db.client().database("config").collection::<Document>("collections");
    let found = collections.find_one(doc! { "_id": id }).await.unwrap();
    found.map(|found| found.get_document("key").unwrap().clone())
}

#[tokio::test]
async fn shard_refine_and_reshard() {
    let db = new_database().await;
    let schema = schema![first::Order, first::Game];
    let plan = schema.plan(&db).await.unwrap();
    let text = plan.to_string();
    assert!(text.contains("  + shard key {customer: 1, number: 1}\n"), "{text}");
    assert!(text.contains("  + shard key {_id: hashed}\n"), "{text}");
    plan.apply(&db).await.unwrap().complete().unwrap();
    assert_eq!(key(&db, "orders").await, Some(doc! { "customer": 1, "number": 1 }));
    assert_eq!(key(&db, "games").await, Some(doc! { "_id": "hashed" }));
    let again = schema.plan(&db).await.unwrap();
    assert!(again.is_empty() && again.notes().is_empty(), "{again}");
    // A second apply of the same plan: each step is done already.
    plan.apply(&db).await.unwrap().complete().unwrap();

    let orders: Vec<first::Order> = (0..300).map(|id| first::Order { id, customer: id % 7, number: id }).collect();
    first::Order::insert_many(&db, &orders).await.unwrap();
    let schema = schema![refined::Order];
    let plan = schema.plan(&db).await.unwrap();
    let text = plan.to_string();
    assert!(
        text.contains(
            "  ~ shard key {customer: 1, number: 1} is refined to {customer: 1, number: 1, _id: 1}: no document moves\n"
        ),
        "{text}"
    );
    plan.apply(&db).await.unwrap().complete().unwrap();
    assert_eq!(key(&db, "orders").await, Some(doc! { "customer": 1, "number": 1, "_id": 1 }));
    assert_eq!(refined::Order::find(Filter::all()).count(&db).await.unwrap(), 300);

    let schema = schema![other::Order];
    let plan = schema.plan(&db).await.unwrap();
    let text = plan.to_string();
    assert!(
        text.contains(
            "~ shard key {customer: 1, number: 1, _id: 1} becomes {_id: hashed}: all documents are written anew"
        ),
        "{text}"
    );
    assert!(text.contains("(only with `reshard`)"), "{text}");
    // Without the option, the plan does not reshard.
    plan.apply(&db).await.unwrap();
    assert_eq!(key(&db, "orders").await, Some(doc! { "customer": 1, "number": 1, "_id": 1 }));
    schema
        .plan(&db)
        .await
        .unwrap()
        .apply_with(&db, ApplyOptions::new().reshard(true))
        .await
        .unwrap()
        .complete()
        .unwrap();
    assert_eq!(key(&db, "orders").await, Some(doc! { "_id": "hashed" }));
    let (one, two) = (
        router().await.on_shard(0, db.name()).await.collection::<Document>("orders"),
        router().await.on_shard(1, db.name()).await.collection::<Document>("orders"),
    );
    let (one, two) = (one.count_documents(doc! {}).await.unwrap(), two.count_documents(doc! {}).await.unwrap());
    assert!(one > 0 && two > 0 && one + two == 300, "{one} and {two}");

    let plan = schema![undeclared::Order].plan(&db).await.unwrap();
    assert!(
        plan.to_string().contains("note: orders is sharded by {_id: hashed}, and the model declares no shard key"),
        "{plan}"
    );
}

/// A collection with documents: some documents lack a field of the key, and some documents share a value of the key.
#[tokio::test]
async fn what_values_a_key_has() {
    let db = new_database().await;
    let orders = db.collection::<Document>("orders");
    let order = |id: i64| match id {
        0..10 => doc! { "_id": id, "number": id },
        _ => doc! { "_id": id, "customer": 5_i64, "number": id / 40 },
    };
    orders.insert_many((0..100).map(order)).await.unwrap();
    let plan = schema![first::Order].plan(&db).await.unwrap();
    let sharding = plan.steps().iter().find_map(|step| match &step.change {
        Change::Shard(sharding) => Some(sharding.clone()),
        _ => None,
    });
    let sharding = sharding.expect("a step");
    assert_eq!(sharding.kind, ShardingKind::Shard);
    let values = sharding.values.expect("counted");
    assert_eq!((values.documents, values.absent, values.arrays, values.most_frequent), (100, 10, 0, 40));
    let text = plan.to_string();
    assert!(
        text.contains(
            "      10 documents lack a field of the shard key, or hold null: a missing field is stored like null\n"
        ),
        "{text}"
    );
    assert!(
        text.contains(
            "      40 of 100 documents have the most frequent value of the shard key: the documents stay in \
             a single chunk\n"
        ),
        "{text}"
    );
    plan.apply_with(&db, ApplyOptions::new().allow_refused(true)).await.unwrap().complete().unwrap();
    assert_eq!(key(&db, "orders").await, Some(doc! { "customer": 1, "number": 1 }));
}

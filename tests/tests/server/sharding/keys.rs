//! The good keys of the article on choosing a shard key compile, each with the needed index. Models that almost break a
//! rule compile too.

use mongodb::bson::{Document, doc};
use schema_runtime::{definition::ModelDefinition, prelude::*, schema};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[shard_key(hashed(id))]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 60)]
    name: String,
}

/// "{hostname, timestamp}"
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
#[shard_key(host, time)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    time: DateTime,
}

/// The game state: reads and writes by `_id`.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "games")]
#[shard_key(hashed(id), workload(inserts = 0.1, updates = 60, queries = 39.9))]
#[query(of_player(id), one, per_day = 1_000_000)]
struct Game {
    #[serde(rename = "_id")]
    id: ObjectId,
    score: i64,
}

/// "{userid: 1, time_posted: 1}"
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "tweets")]
#[shard_key(userid, time_posted, distinct(userid = 50_000))]
#[query(of_user(userid), order = desc(time_posted), limit = 10, per_day = 100_000)]
struct Tweet {
    #[serde(rename = "_id")]
    id: ObjectId,
    userid: i64,
    time_posted: DateTime,
}

/// "{month, author}"
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "articles")]
#[shard_key(month, hashed(author), distinct(month = 12), shards = 4)]
#[query(by_author(month, author), limit = 100)]
struct Article {
    #[serde(rename = "_id")]
    id: ObjectId,
    month: i32,
    author: ObjectId,
}

/// A model with few inserts: an ascending key does no harm.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "states")]
#[shard_key(id, workload(inserts = 0.1, updates = 9.9, queries = 90))]
struct State {
    #[serde(rename = "_id")]
    id: i64,
    value: i64,
}

/// A model with many inserts. Each query is of a sensor and a period.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings")]
#[allow(clippy::duplicated_attributes, reason = "words of two queries, of which some are equal")]
#[shard_key(sensor, time, unique, distinct(sensor = 4), shards = 2, workload(inserts = 95, updates = 0, queries = 5))]
#[query(since(gt(time)), limit = 100)]
#[query(between(sensor, between(time)), limit = 100)]
struct Reading {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 30)]
    sensor: String,
    time: DateTime,
}

/// Reasons for keys that a rule would refuse.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events")]
#[shard_key(
    day,
    allow(shard_key_monotonic, reason = "a nightly import, in the order of the day"),
    allow(shard_key_hot_read, reason = "the last day is in every cache"),
    allow(shard_key_scatter, reason = "an analyst waits for it"),
    allow(shard_key_locality, reason = "no range of it is read"),
    allow(shard_key_low_cardinality, reason = "there are as many as there were days"),
    allow(shard_key_copies, reason = "repair runs each night")
)]
#[query(latest, order = desc(day), limit = 20)]
#[query(named(name), limit = 20, per_day = 500)]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    day: DateTime,
    #[bound(max_len = 60)]
    name: String,
}

/// A unique index that begins with the key, and the key in an embedded struct.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "accounts")]
#[shard_key(address.country, number, distinct(address.country = 200))]
#[index(address.country, number, unique)]
struct Account {
    #[serde(rename = "_id")]
    id: ObjectId,
    address: Address,
    number: i64,
}

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    #[bound(max_len = 2)]
    country: String,
}

async fn indexes(model: &'static ModelDefinition) -> Vec<Document> {
    let db = database().await;
    let schema = schema_runtime::Schema::new(Box::leak(Box::new([model])));
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let again = schema.plan(&db).await.unwrap();
    assert!(again.is_empty(), "{again}");
    let note = format!(
        "note: {} has a shard key, and this server is no sharded cluster (no `mongos`): the collection is not sharded",
        model.collection
    );
    assert!(again.to_string().contains(&note), "{again}");
    let mut indexes = db.collection::<Document>(model.collection).list_indexes().await.unwrap();
    let mut keys = Vec::new();
    while indexes.advance().await.unwrap() {
        keys.push(indexes.deserialize_current().unwrap().keys);
    }
    keys.retain(|keys| *keys != doc! { "_id": 1 });
    keys
}

#[tokio::test]
async fn each_brings_the_index_that_it_needs() {
    let by_time = doc! { "host": 1, "_id": -1 };
    assert_eq!(indexes(LogMsg::DEFINITION).await, [by_time, doc! { "host": 1, "time": 1 }]);
    assert_eq!(indexes(Host::DEFINITION).await, [doc! { "_id": "hashed" }]);
    assert_eq!(indexes(Game::DEFINITION).await, [doc! { "_id": "hashed" }]);
    assert_eq!(indexes(State::DEFINITION).await, Vec::<Document>::new());
    // A hashed index has no order, and serves no declared query: the query has an index of its own.
    let by_author = doc! { "month": 1, "author": 1 };
    assert_eq!(indexes(Article::DEFINITION).await, [doc! { "month": 1, "author": "hashed" }, by_author]);
    assert_eq!(indexes(Account::DEFINITION).await, [doc! { "address.country": 1, "number": 1 }]);
    assert_eq!(indexes(Event::DEFINITION).await, [doc! { "day": 1 }, doc! { "name": 1 }]);
}

#[tokio::test]
async fn an_index_in_another_direction_serves_the_query_alone() {
    // The server accepts no descending index for a shard key, and reads the ascending index backwards for a query.
    let keys = indexes(Tweet::DEFINITION).await;
    assert!(keys.contains(&doc! { "userid": 1, "time_posted": 1 }), "{keys:?}");
}

#[tokio::test]
async fn a_unique_key_has_a_unique_index() {
    let db = database().await;
    let schema = schema![Reading];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let reading = |id| Reading { id, sensor: "a".to_owned(), time: DateTime::from_millis(0) };
    Reading::insert(&db, &reading(ObjectId::new())).await.unwrap();
    let second = Reading::insert(&db, &reading(ObjectId::new())).await.unwrap_err();
    assert!(matches!(second, schema_runtime::Error::DuplicateKey { .. }), "{second}");
}

//! A plan of many collections beside the commands that a plan needs, and inserts of measurements beside the driver.

use std::sync::OnceLock;

use futures_util::{StreamExt, TryStreamExt, stream};
use mongodb::{
    Collection,
    bson::{Document, doc},
};
use schema_runtime::{Schema, prelude::*};
use schema_tests::many_collections;

use crate::data::{DRAFTS, Data};

const COLLECTIONS: usize = 100;

/// The number of collections that are asked for their indexes at a time, as in a plan.
const SIDE_BY_SIDE: usize = 8;

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "readings", time_series(time = at, meta = sensor, granularity = minutes))]
pub(crate) struct Reading {
    #[serde(rename = "_id")]
    id: i64,
    at: DateTime,
    sensor: i32,
    celsius: f64,
    humidity: f64,
}

/// Returns the schema of one hundred collections with equal fields and indexes.
pub(crate) fn schema() -> Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    *SCHEMA.get_or_init(|| many_collections::schema(COLLECTIONS))
}

/// Plans all collections, which need no change, and returns the number of collections.
pub(crate) async fn plan(data: &Data) -> u64 {
    let plan = schema().plan(&data.kinds).await.expect("a plan");
    assert!(plan.is_empty(), "{plan}");
    COLLECTIONS as u64
}

/// Lists the collections and the indexes of each collection, and returns the number of collections.
pub(crate) async fn list(data: &Data) -> u64 {
    let names: Vec<String> = (0..COLLECTIONS).map(|at| format!("things{at}")).collect();
    let command = doc! { "listCollections": 1, "filter": { "name": { "$in": names } } };
    let listed: Vec<Document> = all(data, command).await;
    let names: Vec<String> = listed.iter().map(|listed| listed.get_str("name").expect("a name").to_owned()).collect();
    let lists = stream::iter(names).map(|name| async move { all(data, doc! { "listIndexes": name }).await });
    let indexes: Vec<Vec<Document>> = lists.buffered(SIDE_BY_SIDE).collect().await;
    indexes.iter().filter(|indexes| indexes.len() == many_collections::INDEXES).count() as u64
}

async fn all(data: &Data, command: Document) -> Vec<Document> {
    let cursor = data.kinds.run_cursor_command(command).await.expect("a cursor");
    cursor.try_collect().await.expect("documents")
}

fn readings() -> Vec<Reading> {
    let reading = |at: usize| Reading {
        id: at as i64,
        at: DateTime::from_millis(1_700_000_000_000 + at as i64 * 1_000),
        sensor: (at % 10) as i32,
        celsius: at as f64 / 7.0,
        humidity: at as f64 / 11.0,
    };
    (0..DRAFTS).map(reading).collect()
}

pub(crate) async fn empty_readings(data: &Data) {
    Reading::collection(&data.drafts).drop().await.expect("the collection goes");
    schema![Reading].create(&data.drafts).await.expect("a new time series");
}

pub(crate) async fn measure(data: &Data) -> u64 {
    Reading::insert_many(&data.drafts, readings()).await.expect("an insert");
    DRAFTS as u64
}

pub(crate) async fn measure_by_hand(data: &Data) -> u64 {
    let collection: Collection<Reading> = data.drafts.collection("readings");
    collection.insert_many(readings()).await.expect("an insert").inserted_ids.len() as u64
}

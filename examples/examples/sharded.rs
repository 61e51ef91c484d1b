//! A small cluster: the example starts a config server and two shards. The example plans, shards, refines and reshards
//! collections, and judges the shard keys by the stored documents.
//!
//! `cargo run --example sharded`. The servers include no router (`mongos` is in no Python wheel). A small router of the
//! example stands before the servers: the router takes the three commands of shard keys and passes everything else to
//! the first shard.

use schema_examples::table;
use schema_runtime::{
    apply::ApplyOptions,
    assert_queries_indexed, assert_targeted,
    bson::{Document, doc},
    prelude::*,
};
use schema_tests::router;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[shard_key(hashed(id))]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 60)]
    name: String,
}

/// The messages of a host lie together, and a busy host may have many chunks.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
#[shard_key(host, time)]
#[query(latest(host), order = desc(time), limit = 10, per_day = 20_000)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    time: DateTime,
    #[bound(max_len = 200)]
    text: String,
}

/// The first shard key: an ascending number. The reason in `allow` lets the model compile.
mod begun {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "orders")]
    #[shard_key(id, allow(shard_key_monotonic, reason = "to show what becomes of it"))]
    pub(super) struct Order {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        pub(super) customer: i64,
        pub(super) total: i64,
    }
}

/// The refined key: no document moves, and a chunk of one number could be split.
mod refined {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "orders")]
    #[shard_key(id, customer, allow(shard_key_monotonic, reason = "to show what becomes of it"))]
    pub(super) struct Order {
        #[serde(rename = "_id")]
        id: i64,
        customer: i64,
        total: i64,
    }
}

/// The good shard key.
mod good {
    use super::*;

    #[derive(Model, Serialize, Deserialize, Clone)]
    #[model(collection = "orders")]
    #[shard_key(customer, id, distinct(customer = 50_000))]
    #[query(of_customer(customer), limit = 100)]
    pub(super) struct Order {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        pub(super) customer: i64,
        pub(super) total: i64,
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cluster = router().await;
    let db = cluster.database("schema_example_sharded").await;

    println!("# A plan shards the collections\n");
    let schema = schema![Host, LogMsg, begun::Order];
    let plan = schema.plan(&db).await?;
    println!("{plan}\n{}", plan.apply(&db).await?.complete()?);

    Host::insert_many(&db, (0..20).map(|id| Host { id, name: format!("goofy{id}.example.com") })).await?;
    let message = |id: i64| LogMsg {
        id,
        host: Ref::new(id % 20),
        time: DateTime::from_millis(1_700_000_000_000 + id * 250),
        text: "cpu is on fire!".to_owned(),
    };
    LogMsg::insert_many(&db, (0..4_000).map(message)).await?;
    begun::Order::insert_many(&db, (0..4_000).map(|id| begun::Order { id, customer: id * 7_919 % 500, total: id }))
        .await?;

    println!("# The keys, by the documents that are there\n");
    for judged in schema.judge_shard_keys(&db).await? {
        println!("{judged}");
    }

    println!("\n# A longer key\n");
    let plan = schema![refined::Order].plan(&db).await?;
    println!("{plan}\n{}", plan.apply(&db).await?.complete()?);

    println!("# Another key: only when asked to\n");
    let schema = schema![good::Order];
    let plan = schema.plan(&db).await?;
    println!("{plan}\n{}", plan.apply_with(&db, ApplyOptions::new().reshard(true)).await?);
    let mut rows = Vec::new();
    for shard in 0..2 {
        let orders = cluster.on_shard(shard, db.name()).await.collection::<Document>("orders");
        rows.push([format!("shard {shard}"), orders.count_documents(doc! {}).await?.to_string()]);
    }
    println!("{}", table(["shard", "orders"], rows));
    for judged in schema.judge_shard_keys(&db).await? {
        println!("{judged}");
    }

    println!("\n# Reads and writes carry the key\n");
    assert_targeted(&LogMsg::latest(Ref::<Host>::new(3)));
    assert_targeted(&good::Order::of_customer(7_i64));
    let newest = LogMsg::latest(Ref::<Host>::new(3)).fetch_all(&db).await?;
    println!("the newest message of host 3 is number {}: {}", newest[0].id, newest[0].text);
    let paid = good::Order::find_one_and_update(good::Order::F.total.eq(5)).set(good::Order::F.total, 0);
    println!("without the key: {}", paid.fetch_after(&db).await.err().ok_or("a write without its key is refused")?);
    assert_queries_indexed(&schema![Host, LogMsg], &db).await;
    Ok(())
}

//! Groups of many documents, and a stored report, in little memory. The memory use is known for a whole process only: a
//! second process reads the groups.

use mongodb::bson::doc;
use schema_runtime::prelude::*;
use schema_tests::{
    process::{alone, peak, prepared, run_again},
    scale,
};

/// The most memory that the process may need beside the idle process, in KiB, for any number of groups.
const MOST: u64 = 24 * 1024;

fn documents() -> i64 {
    scale::GROUPED_DOCUMENTS.now().into()
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "ticks")]
struct Tick {
    #[serde(rename = "_id")]
    id: i64,
    host: i64,
    value: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "host_reports")]
struct HostReport {
    #[serde(rename = "_id")]
    host: i64,
    ticks: i64,
    sum: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Tick, by(host), into = HostReport)]
#[expect(dead_code, reason = "only the server computes the fields")]
struct OfHost {
    #[serde(rename = "_id")]
    host: i64,
    #[count]
    ticks: i64,
    #[sum(value)]
    sum: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Tick)]
struct Whole {
    #[count]
    ticks: i64,
    #[sum(value)]
    sum: i64,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_groups_in_little_memory() {
    if let Some(db) = prepared().await {
        return read_the_groups(&db).await;
    }
    let alone = alone().await;
    let (_, db) = &alone;
    for start in (0..documents()).step_by(50_000) {
        // Two documents of each host.
        let ticks = (start..start + 50_000).map(|id| doc! { "_id": id, "host": id / 2, "value": id % 3 });
        db.collection("ticks").insert_many(ticks).ordered(false).await.unwrap();
    }
    run_again("aggregate::memory::many_groups_in_little_memory", &alone).await;
}

async fn read_the_groups(db: &Database) {
    let idle = peak();
    let whole = Tick::aggregate::<Whole>().fetch_one(db).await.unwrap();
    assert_eq!(whole.ticks, documents());
    let mut groups = Tick::aggregate::<OfHost>().stream(db).await.unwrap();
    let (mut ticks, mut sum) = (0, 0);
    while let Some(group) = groups.next().await {
        let group = group.unwrap();
        (ticks, sum) = (ticks + group.ticks, sum + group.sum);
    }
    assert_eq!((ticks, sum), (whole.ticks, whole.sum));
    Tick::aggregate::<OfHost>().merge(db).await.unwrap();
    assert_eq!(HostReport::find(Filter::all()).count(db).await.unwrap(), (documents() / 2) as u64);
    let needed = peak() - idle;
    println!("{needed} KiB beside {idle} KiB");
    assert!(needed < MOST, "{needed} KiB");
}

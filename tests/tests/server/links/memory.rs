//! Up to 200,000 links are verified and repaired in little memory. The memory use is known for a whole process only: a
//! second process does the work.

use std::time::Instant;

use mongodb::bson::{Document, doc};
use schema_runtime::{MaintenanceKind, Schema, Throttle, prelude::*, verify::Finding};
use schema_tests::{
    process::{alone, peak, prepared, run_again},
    scale,
};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, of = Task::owner, max = 200)]
    tasks: Vec<Ref<Task>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, inverse = tasks)]
    owner: Option<Ref<Person>>,
}

/// The number of tasks of a person.
const EACH: i64 = 100;

/// Each fiftieth task is missing in the mirror.
const MISSING: i64 = 50;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_links_in_little_memory() {
    let schema = schema![Person, Task];
    if let Some(db) = prepared().await {
        return repair_them(&db, &schema).await;
    }
    let alone = alone().await;
    let (_, db) = &alone;
    schema.plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    // The server makes the documents: each task refers to a person, and the person does not mirror every fiftieth task.
    let count = i64::from(scale::VERIFIED_LINKS.now());
    let made = |documents: i64, document: Document, into: &str| {
        vec![
            doc! { "$documents": [{ "n": { "$range": [0, documents] } }] },
            doc! { "$unwind": "$n" },
            doc! { "$set": { "n": { "$toLong": "$n" } } },
            doc! { "$replaceWith": document },
            doc! { "$merge": { "into": into, "whenMatched": "fail" } },
        ]
    };
    let owner = doc! { "$toLong": { "$floor": { "$divide": ["$n", EACH] } } };
    db.aggregate(made(count, doc! { "_id": "$n", "owner": owner }, "tasks")).await.unwrap();
    let first = doc! { "$multiply": ["$n", EACH] };
    let own = doc! { "$range": [{ "$toInt": &first }, { "$toInt": { "$add": [&first, EACH] } }] };
    let mirrored =
        doc! { "$filter": { "input": own, "as": "id", "cond": { "$ne": [{ "$mod": ["$$id", MISSING] }, 0] } } };
    let tasks = doc! { "$map": { "input": mirrored, "as": "id", "in": { "$toLong": "$$id" } } };
    db.aggregate(made(count / EACH, doc! { "_id": "$n", "tasks": tasks }, "people")).await.unwrap();

    run_again("links::memory::many_links_in_little_memory", &alone).await;
    let whole = doc! { "tasks": { "$size": EACH } };
    let people = db.collection::<Document>("people").count_documents(whole).await.unwrap();
    assert_eq!(people as i64, count / EACH);
}

async fn repair_them(db: &Database, schema: &Schema) {
    db.run_command(doc! { "ping": 1 }).await.unwrap();
    let (idle, begun) = (peak(), Instant::now());
    let links = u64::from(scale::VERIFIED_LINKS.now());
    let report = schema.verify(db).await.unwrap();
    let [Finding::Derived(link)] = report.findings() else { panic!("{report}") };
    assert_eq!((link.kind, link.found), (MaintenanceKind::UnmirroredLink, links / MISSING as u64));
    let verified = peak();
    let repaired = schema.repair(db, &Throttle::new()).await.unwrap();
    assert_eq!(
        repaired.to_string(),
        format!("Task.owner: {0} links that the mirrors lack, {0} documents written", links / MISSING as u64)
    );
    let repaired = peak();
    println!("peak {repaired} KiB: {idle} idle, {verified} after verify; {:?}", begun.elapsed());
    assert!(repaired - idle < scale::VERIFIED_LINKS.most_memory(), "{repaired} KiB, {idle} of an idle client");
}

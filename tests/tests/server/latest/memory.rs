//! A stream of up to 1,000,000 children in little memory. The memory use is known for a whole process only: a second
//! process reads the stream.

use mongodb::bson::{Document, doc};
use schema_runtime::prelude::*;
use schema_tests::{
    process::{alone, peak, prepared, run_again},
    scale,
};

use crate::relations::index;

/// The most memory that the process may need beside the idle process, in KiB, for any number of children.
const MOST: u64 = 24 * 1024;

fn children() -> i64 {
    scale::STREAMED_CHILDREN.now().into()
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parents")]
#[inverse(ticks = Tick::parent)]
struct Parent {
    #[serde(rename = "_id")]
    id: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "ticks")]
struct Tick {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    parent: Ref<Parent>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_children_in_little_memory() {
    if let Some(db) = prepared().await {
        return read_the_stream(&db).await;
    }
    let alone = alone().await;
    let (_, db) = &alone;
    index::<Tick>(db).await;
    let write = async |from: i64| {
        for start in (from..children()).step_by(100_000) {
            let ticks = (start..start + 50_000).map(|id| doc! { "_id": id, "parent": 1 });
            db.collection::<Document>("ticks").insert_many(ticks).ordered(false).await.unwrap();
        }
    };
    tokio::join!(write(0), write(50_000));

    run_again("latest::memory::many_children_in_little_memory", &alone).await;
}

async fn read_the_stream(db: &Database) {
    let idle = peak();
    let mut ticks = Parent { id: 1 }.ticks().stream(db).await.unwrap();
    let mut next = children();
    while let Some(tick) = ticks.next().await {
        next -= 1;
        assert_eq!(tick.unwrap().id, next);
    }
    assert_eq!(next, 0);
    let needed = peak() - idle;
    println!("{needed} KiB beside {idle} KiB");
    assert!(needed < MOST, "{needed} KiB");
}

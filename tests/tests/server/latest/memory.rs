//! A stream of 1,000,000 children in little memory. What a process takes is known of the whole process only, so the stream
//! is read by a second one: this test binary, with a test of its own that no other run starts.

use std::{env, fs, process::Command};

use mongodb::{
    Client,
    bson::{Document, doc},
};
use schema_runtime::prelude::*;
use schema_tests::{database, server};

use crate::relations::index;

const CHILDREN: i64 = 1_000_000;

/// The most memory that the process may ever have held, in KiB: 64 MiB.
const MOST: u64 = 64 * 1024;

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
async fn a_million_children_in_64_mib() {
    let db = database().await;
    index::<Tick>(&db).await;
    let write = async |from: i64| {
        for start in (from..CHILDREN).step_by(100_000) {
            let ticks = (start..start + 50_000).map(|id| doc! { "_id": id, "parent": 1 });
            db.collection::<Document>("ticks").insert_many(ticks).ordered(false).await.unwrap();
        }
    };
    tokio::join!(write(0), write(50_000));

    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "latest::memory::reads_the_stream", "--ignored", "--nocapture", "--test-threads=1"])
        .env("SCHEMA_TEST_STREAM", db.name())
        .env("SCHEMA_TEST_STREAM_URI", server().await.uri())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    println!("{text}");
}

#[tokio::test]
#[ignore = "the second process of a_million_children_in_64_mib"]
async fn reads_the_stream() {
    let name = env::var("SCHEMA_TEST_STREAM").expect("the name of the database");
    let client = Client::with_uri_str(env::var("SCHEMA_TEST_STREAM_URI").unwrap()).await.unwrap();
    let db = client.database(&name);
    let mut ticks = Parent { id: 1 }.ticks().stream(&db).await.unwrap();
    let mut next = CHILDREN;
    while let Some(tick) = ticks.next().await {
        next -= 1;
        assert_eq!(tick.unwrap().id, next);
    }
    assert_eq!(next, 0);
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("peak {peak} KiB");
    assert!(peak < MOST, "{peak} KiB");
}

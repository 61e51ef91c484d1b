//! Random programs of four clients, on a replica set: whatever they write at the same time, their copies converge, and no
//! older value is ever written over a newer one.

use std::{
    env, fmt,
    sync::atomic::{AtomicI64, Ordering},
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

use futures_util::future::join_all;
use mongodb::{Database, bson::Document};
use proptest::{
    prelude::*,
    test_runner::{RngAlgorithm, TestRng, TestRunner},
};
use schema_runtime::{Error, Pace, schema::Schema};
use schema_tests::copies::{Place, Watch, dangling, marks, prepare, stale};

use crate::{
    any::{Program, any_program},
    steps::{STACK, runtime},
};

const CLIENTS: usize = 4;
const GROUPS: u64 = 4;
const CASES: u32 = 125;

/// The number that a run can be repeated with, as far as its programs go: `SCHEMA_TESTS_SEED=..`.
fn seed() -> u64 {
    match env::var("SCHEMA_TESTS_SEED").map(|seed| seed.parse()) {
        Ok(seed) => seed.expect("a number"),
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_nanos() as u64,
    }
}

#[test]
fn copies_of_any_program_converge() {
    let seed = seed();
    eprintln!("SCHEMA_TESTS_SEED={seed}");
    let groups: Vec<_> = (0..GROUPS)
        .map(|group| {
            thread::Builder::new()
                .stack_size(STACK)
                .spawn(move || run_group(seed.wrapping_add(group)))
                .expect("a thread")
        })
        .collect();
    for group in groups {
        group.join().expect("a group of programs fails: see above");
    }
}

fn run_group(seed: u64) {
    let runtime = runtime();
    let mut group = runtime.block_on(Group::new());
    let config =
        ProptestConfig { cases: CASES, failure_persistence: None, max_shrink_iters: 300, ..Default::default() };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let group = std::cell::RefCell::new(&mut group);
    let result = runner.run(&any_program(CLIENTS, 5), |program| {
        let found = runtime.block_on(group.borrow_mut().run(&program));
        found.map_err(|wrong| TestCaseError::fail(wrong.to_string()))
    });
    if let Err(error) = result {
        panic!("SCHEMA_TESTS_SEED={seed}: {error}");
    }
}

/// A database, the clients that write to it, and one that looks.
struct Group {
    db: Database,
    clients: Vec<Database>,
    schema: Schema,
    watch: Watch,
}

/// What went wrong.
#[derive(Debug)]
#[expect(dead_code, reason = "it is told by `Debug`")]
enum Wrong {
    Refused(Error),
    Stale(&'static str, Vec<Document>),
    Marked(&'static str, Vec<Document>),
    Touched(Vec<Document>, Vec<Document>),
    Seen(Vec<String>),
}

impl fmt::Display for Wrong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, formatter)
    }
}

impl Group {
    async fn new() -> Self {
        let db = schema_tests::database().await;
        let schema = prepare(&db).await;
        let mut clients = Vec::new();
        for _ in 0..CLIENTS {
            let client = schema_tests::server().await.client().await.expect("a client");
            clients.push(client.database(db.name()));
        }
        let watch = Watch::begin(&db).await;
        Group { db, clients, schema, watch }
    }

    async fn run(&mut self, program: &Program) -> Result<(), Wrong> {
        static NEXT: AtomicI64 = AtomicI64::new(1);
        let place = Place(NEXT.fetch_add(1, Ordering::Relaxed));
        place.begin(&self.db).await.map_err(Wrong::Refused)?;
        let clients = self.clients.iter().zip(program).map(|(db, writes)| {
            let (db, writes) = (db.clone(), writes.clone());
            tokio::spawn(async move {
                for write in &writes {
                    match write.run(place, &db).await {
                        Err(error) if !write.is_refused(&error) => return Err(error),
                        _ => {}
                    }
                }
                Ok(())
            })
        });
        for client in join_all(clients).await {
            client.expect("a client").map_err(Wrong::Refused)?;
        }
        let later = program.iter().flatten().any(|write| write.is_later());
        if !later {
            // Marks of holders may wait for others, with which they are cleared.
            self.check("without recover", place, &["_sync"]).await?;
        }
        let before = dangling(&self.db, place.range()).await;
        self.schema.recover(&self.db, &Pace::new()).await.map_err(Wrong::Refused)?;
        self.check("after recover", place, &["_sync", "_look"]).await?;
        let after = dangling(&self.db, place.range()).await;
        if before != after {
            return Err(Wrong::Touched(before, after));
        }
        let seen = self.watch.wrong(program.iter().flatten().any(|write| write.may_take_back())).await;
        if seen.is_empty() { Ok(()) } else { Err(Wrong::Seen(seen)) }
    }

    async fn check(&self, when: &'static str, place: Place, fields: &[&str]) -> Result<(), Wrong> {
        let stale = stale(&self.db, place.range()).await;
        if !stale.is_empty() {
            return Err(Wrong::Stale(when, stale));
        }
        for field in fields {
            let marked = marks(&self.db, place.range(), field).await;
            if !marked.is_empty() {
                return Err(Wrong::Marked(when, marked));
            }
        }
        Ok(())
    }
}

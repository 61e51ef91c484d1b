//! Random programs of four clients, on a replica set: for all concurrent writes the copies converge, and no older value
//! replaces a newer value.

use std::{
    cell::RefCell,
    env, fmt,
    sync::atomic::{AtomicI64, Ordering},
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

use futures_util::future::join_all;
use mongodb::{
    Database,
    bson::{Document, oid::ObjectId},
};
use proptest::{
    prelude::*,
    test_runner::{RngAlgorithm, TestRng, TestRunner},
};
use schema_runtime::{
    Error, Schema, Throttle,
    local::{Server, Topology},
};
use schema_tests::{
    copies::{Place, Watch, Write, dangling, marks, prepare, stale},
    scale,
};
use tokio::runtime::Runtime;

use crate::{
    any::{Program, any_program, any_program_without_transactions},
    steps::{STACK, runtime},
};

const CLIENTS: usize = 4;
const GROUPS: u32 = 4;

/// Returns the seed that repeats the programs of a run: `SCHEMA_TESTS_SEED=..`.
fn seed() -> u64 {
    match env::var("SCHEMA_TESTS_SEED").map(|seed| seed.parse()) {
        Ok(seed) => seed.expect("a number"),
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_nanos() as u64,
    }
}

#[test]
fn copies_of_any_program_converge() {
    let (seed, cases) = (seed(), scale::PROGRAMS.now() / GROUPS);
    eprintln!("SCHEMA_TESTS_SEED={seed}");
    let group = |group: u32| {
        let run = move || {
            let runtime = runtime();
            let programs = runtime.block_on(async { Group::new(schema_tests::server().await, true).await });
            programs.run_all(&runtime, seed.wrapping_add(group.into()), cases, any_program(CLIENTS, 5));
        };
        thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread")
    };
    let groups: Vec<_> = (0..GROUPS).map(group).collect();
    for group in groups {
        group.join().expect("a group of programs fails: see above");
    }
}

/// A standalone server has no transactions and no change streams: every fan-out is in chunks.
#[test]
fn copies_converge_on_a_standalone_server() {
    let runtime = runtime();
    let (server, group) = runtime.block_on(async {
        let server = Server::builder().own(true).topology(Topology::Standalone).start().await.expect("a server");
        let group = Group::new(&server, false).await;
        (server, group)
    });
    let cases = scale::STANDALONE_PROGRAMS.now();
    group.run_all(&runtime, seed(), cases, any_program_without_transactions(CLIENTS, 5));
    runtime.block_on(async { drop(server) });
}

/// A database, the clients that write to the database, and a client that checks.
struct Group {
    db: Database,
    clients: Vec<Database>,
    schema: Schema,
    /// `None` on a server without change streams.
    watch: Option<Watch>,
}

/// An error of a program.
#[derive(Debug)]
#[expect(dead_code, reason = "it is shown by `Debug`")]
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
    /// Runs this many programs; the first failing program is shrunk and reported.
    fn run_all(self, runtime: &Runtime, seed: u64, cases: u32, programs: impl Strategy<Value = Program>) {
        let config = ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 300, ..Default::default() };
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
        let group = RefCell::new(self);
        let result = runner.run(&programs, |program| {
            let found = runtime.block_on(group.borrow_mut().run(&program));
            found.map_err(|wrong| TestCaseError::fail(wrong.to_string()))
        });
        if let Err(error) = result {
            panic!("SCHEMA_TESTS_SEED={seed}: {error}");
        }
    }

    async fn new(server: &Server, watched: bool) -> Self {
        let name = format!("schema_test_{}", ObjectId::new().to_hex());
        let db = server.database(&name).await.expect("a client");
        let schema = prepare(&db).await;
        let mut clients = Vec::new();
        for _ in 0..CLIENTS {
            clients.push(server.database(&name).await.expect("a client"));
        }
        let watch = if watched { Some(Watch::begin(&db).await) } else { None };
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
            // Marks of holders may wait for more marks: the client clears marks in a batch.
            self.check("without recover", place, &["_sync"]).await?;
        }
        let before = dangling(&self.db, place.range()).await;
        self.schema.recover(&self.db, &Throttle::new()).await.map_err(Wrong::Refused)?;
        self.check("after recover", place, &["_sync", "_look"]).await?;
        let after = dangling(&self.db, place.range()).await;
        if before != after {
            return Err(Wrong::Touched(before, after));
        }
        let Some(watch) = &mut self.watch else { return Ok(()) };
        let any = |may: fn(&Write) -> bool| program.iter().flatten().any(may);
        let seen = watch.wrong(any(Write::may_take_back), any(Write::may_put_older)).await;
        if seen.is_empty() { Ok(()) } else { Err(Wrong::Seen(seen)) }
    }

    async fn check(&self, when: &'static str, place: Place, fields: &[&str]) -> Result<(), Wrong> {
        let stale = stale(&self.db, place.range()).await;
        if !stale.is_empty() {
            return Err(Wrong::Stale(when, stale));
        }
        let marked = marks(&self.db, place.range(), fields).await;
        if marked.is_empty() { Ok(()) } else { Err(Wrong::Marked(when, marked)) }
    }
}

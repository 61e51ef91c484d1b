//! The server is killed (SIGKILL) while clients write, and comes back: a single server on its data, and a replica set
//! of three that elects another primary meanwhile. Every acknowledged write is stored, and after `recover` no copy is
//! stale and no parent is wrong.

mod children;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{
    Error, Result, Schema, StoredDocument, Throttle,
    local::{Server, Topology},
    prelude::*,
};
use schema_tests::{
    copies::{CardWrite, ItemWrite, Owner, Place, SourceWrite, Tag, Write, marks, prepare, stale},
    scale::{self, Scale},
};

use crate::steps::{is_done, runtime};

const WRITERS: i64 = 4;

/// How long clients write before a server is killed, and again after its return.
const BETWEEN: Duration = Duration::from_millis(1_500);

/// The increments of a writer, and the holders that the writer has inserted.
#[derive(Default, Debug)]
struct Written {
    counted: [i64; 2],
    /// The number of writes with an unknown outcome.
    unknown: [i64; 2],
    items: Vec<i64>,
    cards: Vec<i64>,
}

/// Returns whether a write is done: `None` when the outcome is unknown.
fn outcome(result: &Result<()>) -> Option<bool> {
    match result {
        Ok(()) => Some(true),
        Err(error) => is_done(error),
    }
}

/// Increments the writer's own tag and owner, and inserts and re-assigns holders of all tags and owners.
async fn write(db: Database, number: i64, stop: Arc<AtomicBool>) -> Written {
    let mut written = Written::default();
    let sources = Place(1);
    let mut next = 0;
    while !stop.load(Ordering::Relaxed) {
        next += 1;
        let counts = [Write::Tag(number, SourceWrite::Count), Write::Owner(number, SourceWrite::Count)];
        for (at, write) in counts.into_iter().enumerate() {
            let result = write.run(sources, &db).await;
            match outcome(&result) {
                Some(true) => written.counted[at] += 1,
                Some(false) => {}
                None => written.unknown[at] += 1,
            }
        }
        let other = (number + next) % WRITERS;
        let holder = 10 + number * 20 + next % 20;
        let item = Write::Item(holder, ItemWrite::Insert(number, other));
        match outcome(&item.run(sources, &db).await) {
            Some(true) => written.items.push(sources.id(0) + holder),
            _ => drop(Write::Item(holder, ItemWrite::Owner(other)).run(sources, &db).await),
        }
        let card = Write::Card(holder, CardWrite::Insert(other));
        match outcome(&card.run(sources, &db).await) {
            Some(true) => written.cards.push(sources.id(0) + holder),
            _ => drop(Write::Card(holder, CardWrite::Tag(number)).run(sources, &db).await),
        }
    }
    written
}

/// Kills servers while clients write, and checks the stored documents at the end.
async fn survives(server: Server, rounds: Scale) {
    let db = server.database("shop").await.expect("a client");
    let schema: Schema = prepare(&db).await;
    for number in 0..WRITERS {
        let id = Place(1).id(number);
        let label = format!("{id}:begin");
        Tag::insert(&db, &Tag { id, label: label.clone(), count: 0, plain: 0 }).await.expect("a tag");
        Owner::insert(&db, &Owner { id, label, count: 0, plain: 0 }).await.expect("an owner");
    }
    // Writes of children are transactions, and a standalone server has no transactions.
    let has_transactions = db.run_command(doc! { "hello": 1 }).await.expect("an answer").contains_key("setName");
    let rollups = if has_transactions { Some(children::begin(&db).await) } else { None };
    let stop = Arc::new(AtomicBool::new(false));
    let mut of_children = Vec::new();
    for number in 1..if has_transactions { 3 } else { 1 } {
        let db = server.database("shop").await.expect("a client");
        of_children.push(tokio::spawn(Box::pin(children::write(db, number, Arc::clone(&stop)))));
    }
    let mut writers = Vec::new();
    for number in 0..WRITERS {
        let db = server.database("shop").await.expect("a client");
        writers.push(tokio::spawn(Box::pin(write(db, number, Arc::clone(&stop)))));
    }
    for _ in 0..rounds.now() {
        tokio::time::sleep(BETWEEN).await;
        let killed = primary(&server, &db).await;
        server.kill(killed).await.expect("it is killed");
        if server.ports().len() > 1 {
            // The replica set elects another primary, and the clients write to the new primary.
            tokio::time::sleep(BETWEEN * 3).await;
        }
        server.restart(killed).await.expect("it starts again");
    }
    tokio::time::sleep(BETWEEN * 2).await;
    stop.store(true, Ordering::Relaxed);
    let mut written = Vec::new();
    for writer in writers {
        written.push(writer.await.expect("no panic"));
    }
    let mut inserted = Vec::new();
    for writer in of_children {
        inserted.extend(writer.await.expect("no panic"));
    }
    if let Some(rollups) = rollups {
        children::check(rollups, &db, &inserted).await;
    }
    schema.recover(&db, &Throttle::new()).await.expect("recover");
    let stale = stale(&db, Place(1).range()).await;
    assert!(stale.is_empty(), "{stale:?}");
    let marked = marks(&db, Place(1).range(), &["_sync", "_look"]).await;
    assert!(marked.is_empty(), "{marked:?}");
    for (number, written) in (0..).zip(&written) {
        let id = Place(1).id(number);
        let there = [
            Tag::get_by_id(&db, &id).await.expect("the tag").count,
            Owner::get_by_id(&db, &id).await.expect("the owner").count,
        ];
        println!("{there:?} there, {:?} acknowledged, {:?} unknown", written.counted, written.unknown);
        for at in 0..2 {
            let least = written.counted[at];
            assert!((least..=least + written.unknown[at]).contains(&there[at]), "{there:?} of {written:?}");
            assert!(least > 0, "{written:?}");
        }
        for (collection, ids) in [("items", &written.items), ("cards", &written.cards)] {
            for id in ids {
                let found = db.collection::<Document>(collection).find_one(doc! { "_id": id }).await.expect("a read");
                assert!(found.is_some(), "{id} of {collection} was acknowledged");
            }
        }
    }
}

/// Returns the member that takes writes.
pub(crate) async fn primary(server: &Server, db: &Database) -> usize {
    let hello = db.run_command(doc! { "hello": 1 }).await.expect("a primary");
    let address = hello.get_str("primary").or_else(|_| hello.get_str("me")).unwrap_or_default().to_owned();
    let port = address.rsplit(':').next().and_then(|port| port.parse::<u16>().ok());
    server.ports().iter().position(|other| Some(*other) == port).unwrap_or(0)
}

fn run(topology: Topology, rounds: Scale) {
    let runtime = runtime();
    let ran = runtime.spawn(async move {
        let server = Server::builder().own(true).topology(topology).oplog_megabytes(64).start().await;
        survives(server.expect("a server"), rounds).await;
    });
    runtime.block_on(ran).expect("no panic");
}

#[test]
fn a_server_is_killed_and_starts_again() {
    run(Topology::ReplicaSet { members: 1 }, scale::RESTARTS);
}

#[test]
fn a_standalone_is_killed_and_starts_again() {
    run(Topology::Standalone, scale::STANDALONE_RESTARTS);
}

#[test]
fn a_primary_is_killed_and_another_one_is_elected() {
    run(Topology::ReplicaSet { members: 3 }, scale::ELECTIONS);
}

/// The property that the writers rely on.
#[test]
fn an_error_says_whether_a_write_is_there() {
    let (document, source) = (StoredDocument::default(), Box::new(Error::NotReplicaSet));
    let pending = Error::CopiesPending { collection: "tags", document, source };
    assert_eq!(
        (outcome(&Ok(())), outcome(&Err(pending)), outcome(&Err(Error::NotReplicaSet))),
        (Some(true), Some(true), Some(false))
    );
}

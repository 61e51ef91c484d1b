//! The client is killed (SIGKILL) at random points while the client inserts, changes, moves and deletes children, and
//! another client goes on. Each write of the killed client is whole or absent. At each moment parents and left
//! differences agree with the children. After `recover` no difference is left.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Throttle, finish_writes, prelude::*, schema};
use schema_tests::{
    rollups::{Counter, Host, LogMsg, all, assert_balanced, assert_nothing_left, assert_right, counter, host, message},
    scale,
};

use crate::client::{Client, another, settled, spread};

/// The number of messages that the second client inserts while the killed client may hold a parent.
const BESIDE: i64 = 4;

/// The server ends a transaction of a killed client after a minute. No write waits so long.
const AT_MOST: Duration = Duration::from_secs(40);

/// Returns the host and the size of each message of a turn, by the last digit of the `_id`, after this number of writes
/// of the turn. `killed-client` does the writes.
fn after(writes: usize, id: i64) -> BTreeMap<i64, (i64, i32)> {
    let of = |at: i64, host: i64| (at, (host, message(id + at, host).bytes));
    let host = 1 + id / 10 % 2;
    let mut stored = BTreeMap::new();
    if writes > 0 {
        stored.extend([of(0, host)]);
    }
    if writes > 1 {
        stored.extend((1..6).map(|at| of(at, 1 + at % 2)));
    }
    if writes > 2 {
        stored.insert(0, (host, 1_000));
    }
    if writes > 3 {
        stored.extend([of(1, host)]);
    }
    if writes > 4 {
        stored.remove(&2);
    }
    if writes > 5 {
        stored.retain(|at, _| ![3, 4].contains(at));
    }
    stored
}

/// Checks that each turn from this number on is written up to a write of the turn, and returns the number of turns that
/// ended in the middle.
async fn turns_in_the_middle(db: &Database, first: i64) -> usize {
    let mut turns: BTreeMap<i64, BTreeMap<i64, (i64, i32)>> = BTreeMap::new();
    for message in all(db, "logmsg").await {
        let id = message.get_i64("_id").expect("a number");
        if (first..first + 10_000).contains(&id) {
            let stored = (message.get_i64("host").expect("a host"), message.get_i32("size").expect("a size"));
            turns.entry(id / 10 * 10).or_default().insert(id % 10, stored);
        }
    }
    let last = turns.keys().last().copied();
    let mut in_the_middle = 0;
    for (id, stored) in &turns {
        let is_whole = *stored == after(6, *id);
        assert!(
            is_whole || (Some(*id) == last && (1..6).any(|writes| *stored == after(writes, *id))),
            "{id}: {stored:?}"
        );
        in_the_middle += usize::from(!is_whole);
    }
    in_the_middle
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_is_killed_while_it_writes_children() {
    let (db, uri) = (schema_tests::database().await, schema_tests::server().await.uri().to_owned());
    // The second client does not have the name of the killed client: the name finds the commands of the killed client.
    let other = schema_tests::server().await.database(db.name()).await.expect("a client");
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.expect("a plan").apply(&db).await.expect("the plan applies");
    Host::insert_many(&db, &[host(1), host(2)]).await.expect("hosts");
    Counter::insert(&db, &counter(1)).await.expect("a counter");
    let (mut between, mut held, mut left, mut moments, mut round) = (0, 0, 0, 0, 0);
    while another(round, scale::CHILDREN, held) {
        let first = i64::from(round + 1) * 10_000;
        let client = Client::start(&db, &uri, "children", first);
        let killed = tokio::task::spawn_blocking(move || {
            client.kill_after(Duration::from_millis(20) + Duration::from_millis(300).mul_f64(spread(round)))
        });
        // Another client inserts children of the same parents all the time.
        let mut own = i64::from(round) * 1_000 + 1_000_000;
        while !killed.is_finished() {
            LogMsg::insert(&other, &message(own, 1 + own % 2)).await.expect("an insert");
            own += 1;
            assert_balanced(&db).await;
            moments += 1;
        }
        let said = killed.await.expect("no panic");
        // The killed client may hold a parent: the second client leaves differences, and goes on.
        let begun = Instant::now();
        for own in own..own + BESIDE {
            LogMsg::insert(&other, &message(own, 1 + own % 2)).await.expect("an insert");
        }
        assert!(begun.elapsed() < AT_MOST, "round {round}: a killed client holds up others for {:?}", begun.elapsed());
        left += assert_balanced(&db).await;
        held += settled(&db).await as u64;
        left += assert_balanced(&db).await;
        between += turns_in_the_middle(&db, first).await;
        finish_writes(&other).await;
        assert_balanced(&db).await;
        schema.recover(&db, &Throttle::new()).await.expect("recover");
        assert_right(&db).await;
        assert_nothing_left(&db).await;
        let messages = db.collection::<Document>("logmsg");
        for line in said.lines() {
            let (what, id) = line.split_once(' ').expect("what was done, and to which");
            let id: i64 = id.parse().expect("an `_id`");
            let there = messages.count_documents(doc! { "_id": id }).await.expect("a count");
            assert_eq!(there, u64::from(what == "inserted"), "round {round}: {line}");
        }
        round += 1;
    }
    println!(
        "{round} kills: {held} in an open transaction, {between} between the writes of a turn; {left} differences were seen, {moments} moments were balanced"
    );
    assert!(held > 0, "no kill came in the middle of a write");
}

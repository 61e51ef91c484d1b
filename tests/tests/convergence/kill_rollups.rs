//! The client is killed (SIGKILL) at random points while it inserts, changes, moves and deletes children. Each time `recover`
//! updates their parents, while another client goes on.

use std::time::Duration;

use mongodb::bson::{Document, doc};
use schema_runtime::{Throttle, prelude::*, schema};
use schema_tests::{
    rollups::{Counter, Host, LogMsg, assert_nothing_left, assert_right, counter, host, marked, message, wrong},
    scale,
};

use crate::client::{Client, another, spread};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_is_killed_while_it_writes_children() {
    let (db, uri) = (schema_tests::database().await, schema_tests::server().await.uri().to_owned());
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.expect("a plan").apply(&db).await.expect("the plan applies");
    Host::insert_many(&db, &[host(1), host(2)]).await.expect("hosts");
    Counter::insert(&db, &counter(1)).await.expect("a counter");
    let (mut left_wrong, mut left_marked, mut round) = (0, 0, 0);
    while another(round, scale::CHILDREN, left_marked) {
        let client = Client::start(&db, &uri, "children", i64::from(round + 1) * 10_000);
        let killed = tokio::task::spawn_blocking(move || {
            client.kill_after(Duration::from_millis(20) + Duration::from_millis(300).mul_f64(spread(round)))
        });
        // Another client inserts children of the same parents all the time.
        let mut own = i64::from(round) * 1_000 + 1_000_000;
        while !killed.is_finished() {
            LogMsg::insert(&db, &message(own, 1 + own % 2)).await.expect("an insert");
            own += 1;
        }
        let said = killed.await.expect("no panic");
        let (wrong, marks) = (wrong(&db).await, marked(&db).await);
        left_wrong += u64::from(!wrong.is_empty());
        left_marked += u64::from(!marks.is_empty());
        assert!(wrong.is_empty() || !marks.is_empty(), "round {round}: nothing tells of {wrong:?}");
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
    println!("{round} kills left wrong parents {left_wrong} times, and marks {left_marked} times");
    assert!(left_marked > 0, "no kill came in the middle");
}

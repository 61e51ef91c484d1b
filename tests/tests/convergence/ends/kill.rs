//! Two clients are killed (SIGKILL) at random points while the clients write both ends of links and documents with
//! delete rules.

use std::time::Duration;

use mongodb::Database;
use schema_runtime::{Schema, Throttle, schema};
use schema_tests::{
    delete_rules::{Group, Host, Message, Note, Owner},
    ends::{begin, wrong},
    links::{self, Author, Book, Person, Task},
    scale,
};

use super::server;
use crate::client::{Client, spread};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_write_both_ends_are_killed() {
    let server = server().await;
    let db = server.database("ends").await.expect("a database");
    let schema = schema![Task, Person, Book, Author, Host, Message, Owner, Note, Group];
    schema.plan(&db).await.expect("a plan").apply(&db).await.expect("it applies");
    let (mut written, mut left) = (0, 0);
    for round in 0..scale::ENDS_KILLS.now() {
        begin(&db).await.expect("the beginning");
        let number = (spread(round) * 1e9) as i64;
        let clients = [0, 1].map(|of| Client::start(&db, server.uri(), "ends", number + of * 1_000_000));
        let killed: Vec<_> = (0..)
            .zip(clients)
            .map(|(of, client)| {
                let time = Duration::from_millis(50) + Duration::from_millis(400).mul_f64(spread(2 * round + of));
                tokio::task::spawn_blocking(move || client.kill_after(time))
            })
            .collect();
        for killed in killed {
            written += killed.await.expect("no error and no panic").lines().count();
        }
        // The ends of links need no recover.
        let found = links::wrong(&db).await;
        assert!(found.is_empty(), "round {round}, from {number}: {found:?}");
        left += usize::from(!wrong(&db).await.is_empty());
        let mut found = wrong_after_recover(&schema, &db).await;
        for _ in 0..3 {
            // A command of a killed client may wait for a transaction of the second client, until the server ends the
            // transaction.
            if !found.is_empty() {
                tokio::time::sleep(Duration::from_secs(2)).await;
                found = wrong_after_recover(&schema, &db).await;
            }
        }
        assert!(found.is_empty(), "round {round}, from {number}, after recover: {found:?}");
    }
    println!("{written} writes were answered; {left} kills left something to recover");
    assert!(written > 0, "nothing was written");
}

async fn wrong_after_recover(schema: &Schema, db: &Database) -> Vec<String> {
    schema.recover(db, &Throttle::new()).await.expect("recover");
    wrong(db).await
}

//! The server is killed (SIGKILL) while four clients write the domain, and comes back; or the primary of three is
//! killed, and another primary is elected. After `recover` all is right, and every acknowledged write is stored exactly
//! once.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mongodb::Database;
use schema_runtime::local::{Server, Topology};
use schema_tests::{
    domain::{Ledger, Work, begin, prepare},
    scale::{self, Scale},
};

use super::{CLIENTS, wrong_after_recover};
use crate::{client::spread, outage::primary, steps::runtime};

/// How long clients write before the server is killed, and again after its return.
const BETWEEN: Duration = Duration::from_millis(1_200);

/// How long clients write to the elected server.
const ELECTED: Duration = Duration::from_secs(4);

async fn write(db: Database, first: u64, stop: Arc<AtomicBool>) -> Ledger {
    let mut ledger = Ledger::default();
    for number in first.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        // The ledger has the error.
        let _ = Box::pin(Work::of(number).run(&db, &mut ledger)).await;
    }
    ledger
}

fn run(members: usize, rounds: Scale) {
    let runtime = runtime();
    let ran = runtime.spawn(async move {
        let server = Server::builder().own(true).topology(Topology::ReplicaSet { members }).oplog_megabytes(64).start();
        let server = server.await.expect("a server");
        let db = server.database("domain").await.expect("a client");
        prepare(&db).await;
        let (mut acknowledged, mut unknown, mut round) = (0, 0, 0);
        while round < rounds.now() {
            let mut ledger = begin(&db).await.expect("the beginning");
            let stop = Arc::new(AtomicBool::new(false));
            let mut clients = Vec::new();
            let first = (spread(round) * 1e15) as u64;
            for client in 0..CLIENTS as u64 {
                let db = server.database("domain").await.expect("a client");
                clients.push(tokio::spawn(write(db, first + client * 1_000_000, Arc::clone(&stop))));
            }
            tokio::time::sleep(BETWEEN).await;
            let killed = primary(&server, &db).await;
            server.kill(killed).await.expect("it is killed");
            if members > 1 {
                tokio::time::sleep(ELECTED).await;
            }
            server.restart(killed).await.expect("it starts again");
            tokio::time::sleep(BETWEEN).await;
            stop.store(true, Ordering::Relaxed);
            for client in clients {
                ledger.join(client.await.expect("no panic"));
            }
            (acknowledged, unknown) = (acknowledged + ledger.acknowledged, unknown + ledger.unknown);
            let found = wrong_after_recover(&db, &ledger).await;
            assert!(found.is_empty(), "round {round}, from {first}:\n{}", found.join("\n"));
            round += 1;
        }
        println!("{acknowledged} writes were acknowledged, of {unknown} nobody knows");
        // The driver asks again for the outcome of most writes: few outcomes, or none, are unknown.
        assert!(acknowledged > 0, "no write was acknowledged");
    });
    runtime.block_on(ran).expect("see above");
}

#[test]
fn the_server_is_killed_while_the_domain_is_written() {
    run(1, scale::DOMAIN_RESTARTS);
}

#[test]
fn another_server_is_elected_while_the_domain_is_written() {
    run(3, scale::DOMAIN_ELECTIONS);
}

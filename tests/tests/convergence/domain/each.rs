//! Each write of the domain, and with the writes each effect: each of the commands fails in every way, or the client
//! stops before or after the command. The answer of the write is true, and after `recover` all is right.

use std::sync::{Arc, Mutex, PoisonError};

use mongodb::Database;
use schema_tests::{
    Fault, Proxy,
    domain::{Ledger, Other, ParcelWrite, Step, Whole, Work, begin, prepare},
    scale,
};

use super::{stop_in, wrong_after_recover};
use crate::steps::runtime;

const FAULTS: [Fault; 5] = [Fault::StopBefore, Fault::StopAfter, Fault::Refuse, Fault::Close, Fault::Lose];

/// The number of clients that try the cases, each client in a separate database.
const CLIENTS: usize = 24;

/// The documents of the writes: existing parcels, routes and nodes, and another weight.
const NUMBERS: [i64; 3] = [1, 2, 3];

/// Returns every kind of write.
pub(super) fn works() -> Vec<Work> {
    let parcels = ParcelWrite::ALL.into_iter().map(|write| Work::One(Step::Parcel(write, NUMBERS)));
    let others = Other::ALL.into_iter().map(|write| Work::One(Step::Other(write, NUMBERS)));
    let whole = Whole::ALL.into_iter().map(|whole| Work::Whole(whole, 1));
    let two = [ParcelWrite::MoveBoth, ParcelWrite::PriceMany].map(|write| Step::Parcel(write, NUMBERS));
    let two = [two[0], Step::Other(Other::NodeRename, NUMBERS), two[1]];
    parcels.chain(others).chain(whole).chain([Work::Transaction(two.to_vec())]).collect()
}

/// Returns the number of commands of a work.
async fn commands(db: &Database, work: &Work) -> usize {
    let proxy = Proxy::start([]).await;
    let _ = Box::pin(work.run(&proxy.database(db.name()).await, &mut Ledger::default())).await;
    proxy.names().len()
}

async fn wrong(db: &Database, work: &Work, at: usize, fault: Fault) -> Option<String> {
    let mut ledger = begin(db).await.expect("the beginning");
    let stopped = stop_in(db, work, at, fault, &mut ledger).await;
    let found = wrong_after_recover(db, &ledger).await;
    let how = if stopped { "stopped" } else { "ended" };
    (!found.is_empty()).then(|| format!("{work:?} with {fault:?} at {at}, {how}:\n{}", found.join("\n")))
}

#[test]
fn each_command_of_each_write_fails_in_every_way() {
    let runtime = runtime();
    let ran = runtime.spawn(async {
        let db = schema_tests::database().await;
        prepare(&db).await;
        let mut cases = Vec::new();
        for work in works() {
            begin(&db).await.expect("the beginning");
            for at in 0..commands(&db, &work).await {
                cases.extend(FAULTS.map(|fault| (work.clone(), at, fault)));
            }
        }
        let all = cases.len();
        // When not all cases are tried, each write gets different cases.
        let of_thousand = scale::DOMAIN_FAULTS_OF_EACH.now() as usize;
        let cases: Vec<_> =
            (0..).zip(cases).filter(|(at, _)| at * 7 % 1_000 < of_thousand).map(|(_, case)| case).collect();
        let tried = cases.len();
        let cases = Arc::new(Mutex::new(cases));
        let clients = (0..CLIENTS).map(|_| {
            let cases = Arc::clone(&cases);
            tokio::spawn(async move {
                let db = schema_tests::database().await;
                prepare(&db).await;
                let mut found = Vec::new();
                let next = || cases.lock().unwrap_or_else(PoisonError::into_inner).pop();
                while let Some((work, at, fault)) = next() {
                    found.extend(wrong(&db, &work, at, fault).await);
                }
                found
            })
        });
        let mut found = Vec::new();
        for client in clients.collect::<Vec<_>>() {
            found.extend(client.await.expect("no panic"));
        }
        println!("{tried} of {all} cases");
        assert!(found.is_empty(), "{} of {tried}:\n{}", found.len(), found.join("\n\n"));
        assert!(tried >= works().len(), "{tried} of {all} cases");
    });
    runtime.block_on(ran).expect("see above");
}

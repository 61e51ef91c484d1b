//! A domain in which everything is derived from everything: programs of all writes, on a quiet server, with commands that fail, with
//! clients and recovers that stop or are killed.

mod beside;
mod each;
mod dropped;
mod faults;
mod kill;
mod programs;
mod refused;
mod restart;
mod stopped;
mod together;

use futures_util::future::join_all;
use mongodb::Database;
use schema_runtime::{Error, Throttle};
use schema_tests::{
    Fault, Proxy,
    domain::{Ledger, Work, is_refused, left_behind, schema, wrong},
};

/// How many clients write at the same time.
const CLIENTS: usize = 4;

/// What each client does, one after the other, as the numbers that choose it.
type Program = Vec<Vec<u64>>;

/// The work of a program, for people.
fn described(program: &[Vec<u64>]) -> String {
    let client = |works: &Vec<u64>| works.iter().map(|work| format!("  {:?}\n", Work::of(*work))).collect::<String>();
    program.iter().map(client).collect::<Vec<_>>().join("  beside\n")
}

/// Runs a program, each client with a database of its own: the answers that they got, and the errors that no program may give.
async fn run(clients: &[Database], program: &[Vec<u64>]) -> (Ledger, Vec<(Work, Error)>) {
    let clients = clients.iter().zip(program).map(|(db, works)| {
        let (db, works) = (db.clone(), works.clone());
        tokio::spawn(async move {
            let (mut ledger, mut failed) = (Ledger::default(), Vec::new());
            for work in works.into_iter().map(Work::of) {
                match Box::pin(work.run(&db, &mut ledger)).await {
                    Err(Error::DocumentInvalid { .. }) if work.may_be_invalid() => {}
                    Err(error) if !is_refused(&error) => failed.push((work, error)),
                    _ => {}
                }
            }
            (ledger, failed)
        })
    });
    let (mut ledger, mut failed) = (Ledger::default(), Vec::new());
    for client in join_all(clients).await {
        let (answered, errors) = client.expect("no panic");
        ledger.join(answered);
        failed.extend(errors);
    }
    (ledger, failed)
}

/// What is wrong or left behind once `recover` has run, after clients of which some have stopped or failed on their way, or none.
async fn wrong_after_recover(db: &Database, ledger: &Ledger, has_stopped: bool) -> Vec<String> {
    if let Err(error) = schema().recover(db, &Throttle::new()).await {
        return vec![format!("recover: {error}")];
    }
    let mut found = wrong(db, ledger).await;
    found.extend(left_behind(db, has_stopped).await.into_iter().map(|left| format!("left behind: {left}")));
    found
}

/// Runs one work, and stops it before or after the command at this place; whether it came so far.
async fn stop_in(db: &Database, work: &Work, at: usize, fault: Fault, ledger: &mut Ledger) -> bool {
    let proxy = Proxy::start([(at, fault)]).await;
    let behind = proxy.database(db.name()).await;
    let mut answered = Ledger::default();
    let ended = tokio::select! {
        _ = Box::pin(work.run(&behind, &mut answered)) => true,
        () = proxy.reached() => false,
    };
    ledger.join(if ended { answered } else { work.unknown() });
    !ended
}

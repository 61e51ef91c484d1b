//! A domain in which every kind of derived data depends on every kind of source: programs of all writes, on a quiet
//! server, with commands that fail, with clients and recovers that stop or are killed.

mod beside;
mod dropped;
mod each;
mod faults;
mod kill;
mod programs;
mod refused;
mod restart;
mod stopped;
mod together;

use futures_util::future::{BoxFuture, join_all};
use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Error, Throttle, finish_writes};
use schema_tests::{
    Fault, Proxy,
    domain::{Ledger, Work, is_refused, left_behind, schema, unbalanced, wrong},
    run_and_stop, run_behind,
};

/// The number of concurrent clients.
const CLIENTS: usize = 4;

/// The successive works of each client, as the numbers that select the works.
type Program = Vec<Vec<u64>>;

/// Describes the work of a program, for people.
fn described(program: &[Vec<u64>]) -> String {
    let client = |works: &Vec<u64>| works.iter().map(|work| format!("  {:?}\n", Work::of(*work))).collect::<String>();
    program.iter().map(client).collect::<Vec<_>>().join("  beside\n")
}

/// Runs a program, each client with a separate database handle, and returns the answers of the clients, and the errors
/// that no program may give.
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

/// Returns the errors and the leftovers: parents with their pending differences before `recover` runs, and everything
/// after `recover`.
async fn wrong_after_recover(db: &Database, ledger: &Ledger) -> Vec<String> {
    let mut found: Vec<String> =
        unbalanced(db).await.into_iter().map(|wrong| format!("before recover: {wrong}")).collect();
    finish_writes(db).await;
    if let Err(error) = schema().recover(db, &Throttle::new()).await {
        found.push(format!("recover: {error}"));
        return found;
    }
    found.extend(wrong(db, ledger).await);
    found.extend(left_behind(db).await.into_iter().map(|left| format!("left behind: {left}")));
    found
}

/// Runs a work, and stops the work before or after the command at this place. Returns whether the work reached the
/// command.
async fn stop_in(db: &Database, work: &Work, at: usize, fault: Fault, ledger: &mut Ledger) -> bool {
    let proxy = Proxy::start([(at, fault)]).await;
    let own = work.clone();
    let run = move |db: Database| -> BoxFuture<'static, Ledger> {
        Box::pin(async move {
            let mut answered = Ledger::default();
            // The ledger has the error.
            let _ = Box::pin(own.run(&db, &mut answered)).await;
            answered
        })
    };
    let ended = run_behind(&proxy, db.name(), run).await;
    ledger.join(ended.answered.unwrap_or_else(|| work.unknown()));
    ended.is_stopped
}

/// Holds all routes and customers while a client writes parcels: the writes leave differences for the parents. The
/// client stops at the answers: all differences stay.
async fn leave_differences(db: &Database, works: Vec<Work>, ledger: &mut Ledger) {
    let mut holder = db.client().start_session().await.expect("a session");
    holder.start_transaction().await.expect("a transaction");
    // Stopped clients may have deleted all documents of one of the two collections.
    for parents in ["routes", "customers"] {
        db.collection::<Document>(parents).delete_many(doc! {}).session(&mut holder).await.expect("a delete");
    }
    let run = move |db: Database| -> BoxFuture<'static, Ledger> {
        Box::pin(async move {
            let mut answered = Ledger::default();
            for work in works {
                // A stopped client may have deleted the parent of the written document.
                if let Err(error) = Box::pin(work.run(&db, &mut answered)).await {
                    assert!(is_refused(&error), "a write whose parents are held: {error:?}");
                }
            }
            answered
        })
    };
    ledger.join(run_and_stop(db.name(), run).await);
    holder.abort_transaction().await.expect("an abort");
}

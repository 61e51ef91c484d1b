//! Two clients write the same parcel, and each client is held at each command, until the second client has done the
//! second write. No client misses the document, and no write is lost.

use std::time::Duration;

use schema_runtime::Error;
use schema_tests::{
    Fault, Proxy,
    domain::{Ledger, ParcelWrite, Step, Work, begin, prepare},
    scale,
};

use super::wrong_after_recover;
use crate::steps::runtime;

/// The writes of parcel 1. Each write must be stored at the end.
const WRITES: [ParcelWrite; 7] = [
    ParcelWrite::Weigh,
    ParcelWrite::WeighMany,
    ParcelWrite::WeighFound,
    ParcelWrite::WeighUpsert,
    ParcelWrite::MoveBoth,
    ParcelWrite::BulkUnordered,
    ParcelWrite::MoveMany,
];

/// The time that the first client has alone, before the second client goes on.
const ALONE: Duration = Duration::from_millis(500);

#[test]
fn one_that_waits_for_another_finds_its_document() {
    let runtime = runtime();
    let ran = runtime.spawn(async {
        let db = schema_tests::database().await;
        prepare(&db).await;
        let (mut cases, mut found) = (0, Vec::new());
        for (at, write) in (0_usize..).zip(WRITES) {
            // When not all places are tried, each write is held at different places, all among its first eleven
            // commands.
            let held = (0..scale::DOMAIN_BESIDE.now() as usize).map(|number| 1 + (at * 3 + number * 5) % 11);
            for held in held {
                let mut ledger = begin(&db).await.expect("the beginning");
                let first = Proxy::start([(held, Fault::Hold)]).await;
                let second = Proxy::start([(1, Fault::Hold)]).await;
                let works =
                    [WRITES[(at + held) % WRITES.len()], write].map(|of| Work::One(Step::Parcel(of, [0, 1, 3])));
                let run = |proxy: &Proxy, work: &Work| {
                    let (proxy, work, name) = (proxy.clone(), work.clone(), db.name().to_owned());
                    tokio::spawn(async move {
                        let (db, mut ledger) = (proxy.database(&name).await, Ledger::default());
                        let result = Box::pin(work.run(&db, &mut ledger)).await;
                        (result, ledger)
                    })
                };
                let mut one = run(&first, &works[0]);
                let is_held = tokio::select! {
                    () = first.reached() => true,
                    ended = &mut one => { ledger.join(ended.expect("no panic").1); false }
                };
                if !is_held {
                    // The place can be a command that the client sends after the answer.
                    first.release();
                    continue;
                }
                let mut other = run(&second, &works[1]);
                let other_is_held = tokio::select! {
                    () = second.reached() => true,
                    ended = &mut other => { ledger.join(ended.expect("no panic").1); false }
                };
                first.release();
                // The second client can hold a transaction that has the parcel. Then the first client ends after the
                // second client.
                let ended = tokio::time::timeout(ALONE, &mut one).await;
                second.release();
                let ended = match ended {
                    Ok(ended) => ended,
                    Err(_) => one.await,
                };
                let (result, answered) = ended.expect("no panic");
                ledger.join(answered);
                let mut results = vec![result];
                if other_is_held {
                    let (result, answered) = other.await.expect("no panic");
                    ledger.join(answered);
                    results.push(result);
                }
                cases += 1;
                let mut wrong = wrong_after_recover(&db, &ledger).await;
                let failed = results.iter().filter_map(|result| result.as_ref().err());
                // Both clients insert the same parcel: the second client gets a duplicate key.
                let is_meant = |error: &&Error| {
                    matches!(error, Error::Bulk { source, .. } if matches!(**source, Error::DuplicateKey { .. }))
                };
                wrong.extend(failed.filter(|error| !is_meant(error)).map(|error| format!("{error:?}")));
                if !wrong.is_empty() {
                    let [one, other] = [first.names(), second.names()];
                    found.push(format!(
                        "{:?} held at {held} of {one:?}, {:?} at 1 of {other:?}: {wrong:#?}",
                        works[0], works[1]
                    ));
                }
            }
        }
        println!("{cases} cases");
        assert!(cases > WRITES.len(), "{cases} cases");
        assert!(found.is_empty(), "{} of {cases}:\n{}", found.len(), found.join("\n"));
    });
    runtime.block_on(ran).expect("see above");
}

//! Clients stop in the middle of their writes, and the `recover` after them fails or stops at one of its own commands. The next one
//! leaves all right.

use schema_runtime::Throttle;
use schema_tests::{
    Fault, Proxy,
    domain::{Work, begin, left_behind, prepare, schema},
    scale,
};

use super::{stop_in, wrong_after_recover};
use crate::{client::spread, steps::runtime};

const FAULTS: [Fault; 5] = [Fault::StopBefore, Fault::Refuse, Fault::StopAfter, Fault::Close, Fault::Lose];

/// How many clients stop before each `recover`, and of how many.
const STOPPED: usize = 4;
const TRIED: u64 = 16;

/// Later commands than this a `recover` after so few clients hardly has.
const COMMANDS: f64 = 70.0;

#[test]
fn a_recover_that_fails_or_stops_is_run_again() {
    let runtime = runtime();
    let ran = runtime.spawn(async {
        let db = schema_tests::database().await;
        prepare(&db).await;
        let (mut interrupted, mut stopped_in_all, mut left) = (0, 0, 0);
        for round in 0..scale::DOMAIN_STOPS.now() {
            let mut ledger = begin(&db).await.expect("the beginning");
            let mut said = Vec::new();
            let first = (spread(round) * 1e15) as u64;
            let mut stopped = 0;
            for number in first..first + TRIED {
                let (work, at) = (Work::of(number), (number % 11) as usize);
                let fault = FAULTS[(number / 11 % 2) as usize * 2];
                let is_stopped = stop_in(&db, &work, at, fault, &mut ledger).await;
                said.push(format!("{work:?} {fault:?} {at}: {}", if is_stopped { "stopped" } else { "ended" }));
                stopped += usize::from(is_stopped);
                if stopped == STOPPED {
                    break;
                }
            }
            stopped_in_all += stopped;
            left += left_behind(&db, true).await.len();
            let (at, fault) = ((spread(round + 7) * COMMANDS) as usize, FAULTS[round as usize % FAULTS.len()]);
            let proxy = Proxy::start([(at, fault)]).await;
            let behind = proxy.database(db.name()).await;
            let ended = tokio::select! {
                ended = async { schema().recover(&behind, &Throttle::new()).await } => format!("{ended:?}"),
                () = proxy.reached() => "stopped".to_owned(),
            };
            interrupted += usize::from(proxy.names().len() > at);
            said.push(format!("recover with {fault:?} at {at} of {:?}: {ended}", proxy.names()));
            let found = wrong_after_recover(&db, &ledger, true).await;
            assert!(found.is_empty(), "round {round}, from {first}:\n{}\n{}", said.join("\n"), found.join("\n"));
        }
        println!("{stopped_in_all} clients stopped, {left} documents were left with marks, {interrupted} recovers were interrupted");
        assert!(interrupted > 0 && left > 0, "{interrupted} recovers were interrupted, {left} documents were left");
    });
    runtime.block_on(ran).expect("see above");
}

//! Clients stop in the middle of their writes, and the `recover` after them fails or stops at one of its own commands. The next one
//! leaves all right.

use mongodb::Database;
use schema_runtime::Throttle;
use schema_tests::{
    Fault, Proxy,
    domain::{Ledger, Work, begin, left_behind, prepare, schema},
    scale,
};

use super::{stop_in, wrong_after_recover};
use crate::{client::spread, steps::runtime};

const FAULTS: [Fault; 5] = [Fault::StopBefore, Fault::Refuse, Fault::StopAfter, Fault::Close, Fault::Lose];

/// How many clients stop before each `recover`, and of how many.
const STOPPED: usize = 4;
const TRIED: u64 = 16;

/// Where the works of those that leave something to all of recover's commands begin.
const LEFT_BY: [u64; 2] = [1, 500];

/// Later commands than this a `recover` after so few clients hardly has.
const COMMANDS: f64 = 70.0;

/// Some clients stop on their way, as the numbers from `first` on say: what they were about.
async fn leave(db: &Database, first: u64, ledger: &mut Ledger) -> (usize, Vec<String>) {
    let (mut said, mut stopped) = (Vec::new(), 0);
    for number in first..first + TRIED {
        let (work, at) = (Work::of(number), (number % 11) as usize);
        let fault = FAULTS[(number / 11 % 2) as usize * 2];
        let is_stopped = stop_in(db, &work, at, fault, ledger).await;
        said.push(format!("{work:?} {fault:?} {at}: {}", if is_stopped { "stopped" } else { "ended" }));
        stopped += usize::from(is_stopped);
        if stopped == STOPPED {
            break;
        }
    }
    (stopped, said)
}

/// A `recover` with this fault at this command: whether it came so far, and what became of it.
async fn recover(db: &Database, at: usize, fault: Fault) -> (bool, String) {
    let proxy = Proxy::start([(at, fault)]).await;
    let behind = proxy.database(db.name()).await;
    let ended = tokio::select! {
        ended = async { schema().recover(&behind, &Throttle::new()).await } => format!("{ended:?}"),
        () = proxy.reached() => "stopped".to_owned(),
    };
    (proxy.names().len() > at, format!("recover with {fault:?} at {at} of {:?}: {ended}", proxy.names()))
}

#[test]
fn a_recover_that_fails_or_stops_is_run_again() {
    let runtime = runtime();
    let ran = runtime.spawn(async {
        let db = schema_tests::database().await;
        prepare(&db).await;
        let (mut interrupted, mut stopped_in_all, mut left) = (0, 0, 0);
        for round in 0..scale::DOMAIN_STOPS.now() {
            let mut ledger = begin(&db).await.expect("the beginning");
            let first = (spread(round) * 1e15) as u64;
            let (stopped, mut said) = leave(&db, first, &mut ledger).await;
            stopped_in_all += stopped;
            left += left_behind(&db, true).await.len();
            let (at, fault) = ((spread(round + 7) * COMMANDS) as usize, FAULTS[round as usize % FAULTS.len()]);
            let (is_interrupted, recovered) = recover(&db, at, fault).await;
            interrupted += usize::from(is_interrupted);
            said.push(recovered);
            let found = wrong_after_recover(&db, &ledger, true).await;
            assert!(found.is_empty(), "round {round}, from {first}:\n{}\n{}", said.join("\n"), found.join("\n"));
        }
        println!("{stopped_in_all} clients stopped, {left} documents were left with marks, {interrupted} recovers were interrupted");
        assert!(interrupted > 0 && left > 0, "{interrupted} recovers were interrupted, {left} documents were left");
    });
    runtime.block_on(ran).expect("see above");
}

/// After clients that have left some of everything: marked sources and holders, pending records, new parents, and stale ones.
#[test]
fn recover_fails_or_stops_at_each_of_its_commands() {
    let runtime = runtime();
    let ran = runtime.spawn(async {
        let db = schema_tests::database().await;
        prepare(&db).await;
        let (mut tried, mut last) = (0, 0);
        let cases = (0..).flat_map(|at| FAULTS.map(|fault| (at, fault)));
        let of_hundred = scale::DOMAIN_STOPS_OF_EACH.now() as usize;
        for (number, (at, fault)) in (0_usize..).zip(cases) {
            if number * 7 % 100 >= of_hundred {
                continue;
            }
            let mut ledger = begin(&db).await.expect("the beginning");
            let mut said = Vec::new();
            for first in LEFT_BY {
                said.extend(leave(&db, first, &mut ledger).await.1);
            }
            let (is_interrupted, recovered) = recover(&db, at, fault).await;
            said.push(recovered);
            let found = wrong_after_recover(&db, &ledger, true).await;
            assert!(found.is_empty(), "{}\n{}", said.join("\n"), found.join("\n"));
            if !is_interrupted {
                break;
            }
            (tried, last) = (tried + 1, at);
        }
        println!("{tried} recovers were interrupted, the last at its command {last}");
        assert!(last > 40, "the last at its command {last}");
    });
    runtime.block_on(ran).expect("see above");
}

//! Clients stop in the middle of their writes, and the `recover` after the clients fails or stops at a command. The
//! next `recover` leaves all right.

use futures_util::future::BoxFuture;
use mongodb::Database;
use schema_runtime::Throttle;
use schema_tests::{
    Fault, Proxy,
    domain::{Ledger, ParcelWrite, Step, Work, begin, left_behind, prepare, schema},
    run_behind, scale,
};

use super::{leave_differences, stop_in, wrong_after_recover};
use crate::{client::spread, steps::runtime};

const FAULTS: [Fault; 5] = [Fault::StopBefore, Fault::Refuse, Fault::StopAfter, Fault::Close, Fault::Lose];

/// The number of clients that stop before each `recover`, and the number of tried clients.
const STOPPED: usize = 4;
const TRIED: u64 = 16;

/// The first numbers of the works that leave work for all commands of recover.
const LEFT_BY: [u64; 2] = [1, 500];

/// A `recover` after this few stopped clients hardly has more commands.
const COMMANDS: f64 = 70.0;

/// Stops some clients in their work, as the numbers from `first` on select. Returns the number of stopped clients, and
/// the works.
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

/// Runs a `recover` with this fault at this command. Returns whether `recover` reached the command, and the result.
async fn recover(db: &Database, at: usize, fault: Fault) -> (bool, String) {
    let proxy = Proxy::start([(at, fault)]).await;
    let run = |db: Database| -> BoxFuture<'static, String> {
        Box::pin(async move { format!("{:?}", schema().recover(&db, &Throttle::new()).await) })
    };
    let ended = run_behind(&proxy, db.name(), run).await;
    let ended = if ended.is_stopped { "stopped".to_owned() } else { ended.answered.unwrap_or_default() };
    (proxy.names().len() > at, format!("recover with {fault:?} at {at} of {:?}: {ended}", proxy.names()))
}

/// Returns changes of parcels that stay. The parents count the changes later.
fn writes() -> Vec<Work> {
    let of = |write, at| Work::One(Step::Parcel(write, [at, at + 1, 3]));
    vec![of(ParcelWrite::Weigh, 0), of(ParcelWrite::Move, 1), of(ParcelWrite::WeighMany, 2), of(ParcelWrite::Insert, 3)]
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
            leave_differences(&db, writes(), &mut ledger).await;
            stopped_in_all += stopped;
            left += left_behind(&db).await.len();
            let (at, fault) = ((spread(round + 7) * COMMANDS) as usize, FAULTS[round as usize % FAULTS.len()]);
            let (is_interrupted, recovered) = recover(&db, at, fault).await;
            interrupted += usize::from(is_interrupted);
            said.push(recovered);
            let found = wrong_after_recover(&db, &ledger).await;
            assert!(found.is_empty(), "round {round}, from {first}:\n{}\n{}", said.join("\n"), found.join("\n"));
        }
        println!("{stopped_in_all} clients stopped, {left} differences and documents with marks were left, {interrupted} recovers were interrupted");
        assert!(interrupted > 0 && left > 0, "{interrupted} recovers were interrupted, {left} documents were left");
    });
    runtime.block_on(ran).expect("see above");
}

/// The clients before the `recover` have left marked sources, marked holders, and differences.
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
            leave_differences(&db, writes(), &mut ledger).await;
            let (is_interrupted, recovered) = recover(&db, at, fault).await;
            said.push(recovered);
            let found = wrong_after_recover(&db, &ledger).await;
            assert!(found.is_empty(), "{}\n{}", said.join("\n"), found.join("\n"));
            if !is_interrupted {
                break;
            }
            (tried, last) = (tried + 1, at);
        }
        println!("{tried} recovers were interrupted, the last at its command {last}");
        assert!(last > 30, "the last at its command {last}");
    });
    runtime.block_on(ran).expect("see above");
}

//! A large write beside four neighbours who insert single books all the time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{
    data::{Data, SHELVES},
    large::{Act, Large},
    one,
    side::Side,
    table::{Goal, Row, is_asked, order, percentile},
};

const NEIGHBOURS: usize = 4;
const ROUNDS: usize = 2;
/// The most that the slowest of a hundred neighbours' writes should take, in milliseconds.
const MOST: f64 = 100.0;

pub(crate) const BESIDE: [(&str, Large); 6] = [
    ("insert of 60,000 of 2,000 parents beside neighbours", Large::of_all(Act::Insert, 60_000)),
    ("inc of 60,000 of 2,000 parents beside neighbours", Large::of_all(Act::Increment, 60_000)),
    ("delete of 60,000 of 2,000 parents beside neighbours", Large::of_all(Act::Delete, 60_000)),
    ("insert of 60,000 of one parent beside neighbours", Large::of_one(Act::Insert, 60_000)),
    ("inc of 60,000 of one parent beside neighbours", Large::of_one(Act::Increment, 60_000)),
    ("delete of 60,000 of one parent beside neighbours", Large::of_one(Act::Delete, 60_000)),
];

/// # Panics
/// If a parent is wrong afterwards.
pub(crate) async fn run_asked(name: &str, large: Large, data: &Data) {
    if !is_asked(name) {
        return;
    }
    let mut row = Row::new(name, "ms", Goal::None);
    for round in 0..ROUNDS {
        let mut times = [0.0; 3];
        for side in order(round) {
            large.prepare(data, side).await;
            let done = Arc::new(AtomicBool::new(false));
            let neighbours = (0..NEIGHBOURS).map(|_| {
                let first = data.another() << 16;
                tokio::spawn(insert(data.db.clone(), side, first, large.shelf, Arc::clone(&done)))
            });
            let neighbours: Vec<_> = neighbours.collect();
            tokio::time::sleep(Duration::from_millis(100)).await;
            let begun = Instant::now();
            large.run(data, side).await;
            times[side as usize] = begun.elapsed().as_secs_f64() * 1_000.0;
            done.store(true, Ordering::Relaxed);
            for neighbour in neighbours {
                row.waits[side as usize].extend(neighbour.await.expect("a neighbour ends"));
            }
            // By hand, the sums are read before the write: neighbours make the sums wrong.
            if side == Side::Ours {
                data.assert_right(side).await;
            }
        }
        row.rounds.push(times);
    }
    let met = if percentile(&row.waits[2], 0.99) <= MOST { "met" } else { "missed" };
    row.note = format!("   goal p99 at most {MOST}: {met}; the longest {:.0} ms", percentile(&row.waits[2], 1.0));
    row.print();
}

/// Returns the time of each insert, in microseconds.
pub(crate) async fn insert(
    db: schema_runtime::mongodb::Database,
    side: Side,
    first: i64,
    shelf: Option<i64>,
    done: Arc<AtomicBool>,
) -> Vec<u32> {
    let mut micros = Vec::new();
    while !done.load(Ordering::Relaxed) {
        let id = first + micros.len() as i64;
        let shelf = shelf.unwrap_or_else(|| fastrand::i64(1..=SHELVES));
        let begun = Instant::now();
        one::insert(&db, side, id, shelf).await;
        micros.push(begun.elapsed().as_micros() as u32);
    }
    micros
}

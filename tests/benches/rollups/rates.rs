//! Writes of single children: time of a single writer, and throughput of many writers.

use std::time::{Duration, Instant};

use crate::{
    data::Data,
    link,
    side::Side,
    table::{Goal, Row, is_asked, order, percentile},
    writers::{Done, Load, Processes, Work, Writers},
};

const ROUNDS: usize = 3;
const TIME: Duration = Duration::from_millis(800);
const WARM_UP: Duration = Duration::from_millis(300);
const DELAY: Duration = Duration::from_millis(1);
/// The most that the slowest of a hundred writes of four processes may take, as a multiple of the slowest write by
/// hand.
const LONGER: f64 = 4.0;

pub(crate) struct Rate {
    name: &'static str,
    work: Work,
    writers: u64,
    parents: i64,
    processes: usize,
    is_delayed: bool,
    goal: Goal,
}

const fn rate(name: &'static str, work: Work, writers: u64, parents: i64, goal: Goal) -> Rate {
    Rate { name, work, writers, parents, processes: 1, is_delayed: false, goal }
}

impl Rate {
    const fn delayed(mut self) -> Self {
        self.is_delayed = true;
        self
    }

    const fn in_four_processes(mut self) -> Self {
        self.processes = 4;
        self
    }
}

pub(crate) const RATES: [Rate; 22] = [
    rate("insert of one child, local", Work::Insert, 1, 2_000, Goal::Raw(1.8)),
    rate("insert of one child, with delay", Work::Insert, 1, 2_000, Goal::Raw(3.2)).delayed(),
    rate("inc of a summed field, local", Work::Increment, 1, 2_000, Goal::Raw(1.7)),
    rate("inc of a summed field, with delay", Work::Increment, 1, 2_000, Goal::None).delayed(),
    rate("inc of a summed field by 8, local", Work::Increment, 8, 2_000, Goal::None),
    rate("inc of a summed field by 32, local", Work::Increment, 32, 2_000, Goal::None),
    rate("inc of a summed field by 32, with delay", Work::Increment, 32, 2_000, Goal::None).delayed(),
    rate("1 writer of one parent, local", Work::Insert, 1, 1, Goal::None),
    rate("8 writers of one parent, local", Work::Insert, 8, 1, Goal::Rate(1.0)),
    rate("32 writers of one parent, local", Work::Insert, 32, 1, Goal::Rate(1.0)),
    rate("8 writers of one parent, with delay", Work::Insert, 8, 1, Goal::None).delayed(),
    rate("32 writers of one parent, with delay", Work::Insert, 32, 1, Goal::None).delayed(),
    rate("8 writers of one parent, four processes, local", Work::Insert, 8, 1, Goal::None).in_four_processes(),
    rate("32 writers of one parent, four processes, local", Work::Insert, 32, 1, Goal::None).in_four_processes(),
    rate("8 writers of one parent, four processes, with delay", Work::Insert, 8, 1, Goal::Rate(0.3))
        .in_four_processes()
        .delayed(),
    rate("32 writers of one parent, four processes, with delay", Work::Insert, 32, 1, Goal::Rate(0.3))
        .in_four_processes()
        .delayed(),
    rate("8 writers of 1,000 parents, local", Work::Insert, 8, 1_000, Goal::HandRate(1.5)),
    rate("32 writers of 1,000 parents, local", Work::Insert, 32, 1_000, Goal::HandRate(1.5)),
    rate("8 writers of 1,000 parents, with delay", Work::Insert, 8, 1_000, Goal::HandRate(1.5)).delayed(),
    rate("32 writers of 1,000 parents, with delay", Work::Insert, 32, 1_000, Goal::HandRate(1.5)).delayed(),
    rate("8 writers of 1,000 parents, four processes, local", Work::Insert, 8, 1_000, Goal::None).in_four_processes(),
    rate("32 writers of 1,000 parents, four processes, with delay", Work::Insert, 32, 1_000, Goal::None)
        .in_four_processes()
        .delayed(),
];

/// The place of the writers of a row.
enum Place {
    Here(Writers),
    Processes(Processes),
}

impl Place {
    async fn run(&mut self, load: Load) -> Done {
        match self {
            Place::Here(writers) => writers.run(load).await,
            Place::Processes(processes) => processes.run(load),
        }
    }
}

impl Rate {
    /// # Panics
    /// If a parent is wrong afterwards.
    pub(crate) async fn run_asked(&self, data: &Data) {
        if !is_asked(self.name) {
            return;
        }
        let uri = if self.is_delayed { link::delayed(DELAY).await } else { link::local().await };
        let mut place = match self.processes {
            1 => Place::Here(Writers::new(&uri, data.db.name()).await),
            count => Place::Processes(Processes::start(count, &uri, data.db.name())),
        };
        let is_time = self.writers == 1;
        let mut row = Row::new(self.name, if is_time { "ms each" } else { "per s" }, self.goal);
        let mut latest = Duration::ZERO;
        for round in 0..=ROUNDS {
            let mut figures = [0.0; 3];
            for side in order(round) {
                let time = if round == 0 { WARM_UP } else { TIME };
                let Rate { work, writers, parents, .. } = *self;
                let done = place.run(Load { work, side, writers, parents, time }).await;
                if side == Side::Ours {
                    latest = latest.max(wait_for_left(data).await);
                }
                let per_second = done.writes as f64 / time.as_secs_f64();
                figures[side as usize] = if is_time { 1_000.0 / per_second } else { per_second };
                if round > 0 {
                    row.waits[side as usize].extend(done.micros);
                }
            }
            if round > 0 {
                row.rounds.push(figures);
            }
        }
        drop(place);
        for side in [Side::Hand, Side::Ours] {
            data.assert_right(side).await;
        }
        if latest > Duration::from_millis(100) {
            row.note = format!("   left differences were folded up to {latest:.1?} after the last answer");
        }
        if self.processes > 1 {
            let [hand, ours] = [1, 2].map(|at| percentile(&row.waits[at], 0.99));
            let met = if ours <= LONGER * hand { "met" } else { "missed" };
            row.note = format!("{}   goal p99 at most {LONGER} of hand: {met}", row.note);
        }
        row.print();
    }
}

/// Waits until the pending differences are folded, before the next side runs: no side pays for another side. If the
/// wait ends without a fold, the check reports the differences.
async fn wait_for_left(data: &Data) -> Duration {
    let begun = Instant::now();
    while data.has_left().await && begun.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    begun.elapsed()
}

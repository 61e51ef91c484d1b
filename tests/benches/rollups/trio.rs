//! A work that each side does in turn, and the time of each side.

use std::time::Instant;

use futures_util::future::BoxFuture;

use crate::{
    data::Data,
    side::Side,
    table::{Goal, Row, is_asked, order},
};

type Work = for<'a> fn(&'a Data, Side) -> BoxFuture<'a, u64>;
type Prepare = for<'a> fn(&'a Data, Side) -> BoxFuture<'a, ()>;

pub(crate) struct Trio {
    pub(crate) name: &'static str,
    pub(crate) goal: Goal,
    pub(crate) rounds: usize,
    pub(crate) warm_up: usize,
    /// Does the work, and returns the number of written documents.
    pub(crate) work: Work,
    /// Runs before each work, untimed.
    pub(crate) before: Prepare,
}

impl Trio {
    /// # Panics
    /// If the sides do not write the same number of documents, or a parent is wrong afterwards.
    pub(crate) async fn run_asked(&self, data: &Data) {
        if !is_asked(self.name) {
            return;
        }
        let mut row = Row::new(self.name, "ms", self.goal);
        for round in 0..self.warm_up + self.rounds {
            let (mut times, mut written) = ([0.0; 3], [0; 3]);
            for side in order(round) {
                (self.before)(data, side).await;
                let begun = Instant::now();
                written[side as usize] = (self.work)(data, side).await;
                times[side as usize] = begun.elapsed().as_secs_f64() * 1_000.0;
                if round + 1 == self.warm_up + self.rounds {
                    data.assert_right(side).await;
                }
            }
            assert!(written[0] == written[1] && written[1] == written[2], "{}: {written:?}", self.name);
            if round >= self.warm_up {
                row.rounds.push(times);
            }
        }
        row.print();
    }
}

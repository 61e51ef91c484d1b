//! Two functions that do the same, run in turn, and the ratio of their times. Further work of the machine affects both
//! functions.

use std::{fmt, time::Instant};

use futures_util::future::BoxFuture;

use crate::data::Data;

/// A function that does its work and returns a checksum of the read data.
type Work = for<'a> fn(&'a Data) -> BoxFuture<'a, u64>;

type Prepare = for<'a> fn(&'a Data) -> BoxFuture<'a, ()>;

/// Runs the pairs with a word of the command line in the name, or all pairs without words. Prints each pair at its end.
pub(crate) async fn run_asked(pairs: &[Pair], data: &Data) {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    println!("{}", Outcome::HEADER);
    for pair in pairs {
        if words.is_empty() || words.iter().any(|word| pair.name.contains(word.as_str())) {
            println!("{}", pair.run(data).await);
        }
    }
}

/// Two functions for the same work.
pub(crate) struct Pair {
    pub(crate) name: &'static str,
    /// The most that the median ratio should be.
    goal: Option<f64>,
    rounds: usize,
    /// The number of rounds before the measured rounds.
    warm_up: usize,
    ours: Work,
    by_hand: Work,
    /// Runs before each of the two functions, untimed.
    before: Option<Prepare>,
}

impl Pair {
    pub(crate) const fn new(name: &'static str, goal: Option<f64>, rounds: usize, ours: Work, by_hand: Work) -> Self {
        Pair { name, goal, rounds, warm_up: 3, ours, by_hand, before: None }
    }

    #[allow(dead_code, reason = "not every bench has pairs that take minutes")]
    pub(crate) const fn warm_up(mut self, rounds: usize) -> Self {
        self.warm_up = rounds;
        self
    }

    #[allow(dead_code, reason = "not every bench has something to prepare")]
    pub(crate) const fn before(mut self, prepare: Prepare) -> Self {
        self.before = Some(prepare);
        self
    }

    /// Runs each of the two functions twice in a round, the first function also last: neither gains by its place. The
    /// order alternates.
    ///
    /// # Panics
    /// If the two functions do not return the same checksum.
    pub(crate) async fn run(&self, data: &Data) -> Outcome {
        let (mut ours, mut by_hand, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..self.warm_up + self.rounds {
            let (first, second) = if round % 2 == 0 { (self.ours, self.by_hand) } else { (self.by_hand, self.ours) };
            let mut times = [0.0; 2];
            let mut checksums = [0; 2];
            for (at, work) in [(0, first), (1, second), (1, second), (0, first)] {
                let (time, checksum) = self.timed(work, data).await;
                times[at] += time / 2.0;
                checksums[at] = checksum;
            }
            assert_eq!(checksums[0], checksums[1], "{}: the two do not see the same", self.name);
            if round % 2 == 1 {
                times.reverse();
            }
            if round >= self.warm_up {
                ours.push(times[0]);
                by_hand.push(times[1]);
                ratios.push(times[0] / times[1]);
            }
        }
        let interval = interval(&mut ratios);
        Outcome {
            name: self.name,
            goal: self.goal,
            ours: median(&mut ours),
            by_hand: median(&mut by_hand),
            ratio: median(&mut ratios),
            interval,
        }
    }

    /// Returns the milliseconds and the checksum.
    async fn timed(&self, work: Work, data: &Data) -> (f64, u64) {
        if let Some(before) = self.before {
            before(data).await;
        }
        let start = Instant::now();
        let checksum = work(data).await;
        (start.elapsed().as_secs_f64() * 1_000.0, checksum)
    }
}

/// A line of the table.
pub(crate) struct Outcome {
    name: &'static str,
    goal: Option<f64>,
    /// The median of this crate's times, in milliseconds.
    ours: f64,
    /// The median of the times by hand, in milliseconds.
    by_hand: f64,
    /// The median of the rounds' ratios.
    ratio: f64,
    /// The 95 % confidence interval of the median of the ratios.
    interval: (f64, f64),
}

impl Outcome {
    pub(crate) const HEADER: &str = "pair                              ours ms   by hand ms   ratio (95 % interval)    goal\n\
         --------------------------------------------------------------------------------------";
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { name, ours, by_hand, ratio, interval: (low, high), .. } = self;
        write!(formatter, "{name:<32} {ours:>8.2}   {by_hand:>10.2}   {ratio:.3} ({low:.3} to {high:.3})")?;
        match self.goal {
            Some(goal) if *ratio <= goal => write!(formatter, "   {goal:.2}, met"),
            Some(goal) => write!(formatter, "   {goal:.2}, missed"),
            None => Ok(()),
        }
    }
}

fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    let (low, high) = ((figures.len() - 1) / 2, figures.len() / 2);
    f64::midpoint(figures[low], figures[high])
}

/// Returns the confidence interval of a median, by order statistics: half the rounds less and more 1.96 standard
/// deviations of a fair coin.
fn interval(figures: &mut [f64]) -> (f64, f64) {
    figures.sort_by(f64::total_cmp);
    let count = figures.len() as f64;
    let reach = 1.96 * count.sqrt() / 2.0;
    let low = (count / 2.0 - reach).floor().max(0.0) as usize;
    let high = (count / 2.0 + reach).ceil() as usize;
    (figures[low], figures[high.min(figures.len() - 1)])
}

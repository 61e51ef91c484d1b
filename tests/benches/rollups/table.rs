//! A row of the table: the figures of the three sides, and their ratios in the same round.

use crate::side::Side;

/// The bound that a row should keep.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// At most this multiple of the raw figure.
    Raw(f64),
    /// At most this multiple of the figure of the program by hand.
    #[allow(dead_code, reason = "the bench of a load has no such bound")]
    Hand(f64),
    /// At least this part of the raw throughput.
    #[allow(dead_code, reason = "the bench of a load measures times only")]
    Rate(f64),
    /// The throughput of the program by hand is at most this multiple.
    #[allow(dead_code, reason = "the bench of a load measures times only")]
    HandRate(f64),
    /// The row has no bound.
    #[allow(dead_code, reason = "the bench of a load has a bound for each row")]
    None,
}

/// The figures of a row: a value of each side for each round.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) goal: Goal,
    pub(crate) rounds: Vec<[f64; 3]>,
    /// Waiting times of each side, in microseconds.
    pub(crate) waits: [Vec<u32>; 3],
    /// A note about the row.
    pub(crate) note: String,
}

impl Row {
    pub(crate) fn new(name: &str, unit: &'static str, goal: Goal) -> Self {
        let waits = [Vec::new(), Vec::new(), Vec::new()];
        Row { name: name.to_owned(), unit, goal, rounds: Vec::new(), waits, note: String::new() }
    }

    pub(crate) fn print_header() {
        println!(
            "{:<58} {:>9} {:>9} {:>9}            ours/raw hand/raw ours/hand   p99 ms of the three",
            "row", "raw", "hand", "ours"
        );
    }

    fn median(&self, of: impl Fn(&[f64; 3]) -> f64) -> f64 {
        median(self.rounds.iter().map(of).collect())
    }

    pub(crate) fn print(&self) {
        let [raw, hand, ours] = [0, 1, 2].map(|at| self.median(|round| round[at]));
        let to_raw = self.median(|round| round[2] / round[0]);
        let hand_to_raw = self.median(|round| round[1] / round[0]);
        let to_hand = self.median(|round| round[2] / round[1]);
        print!(
            "{:<58} {raw:>9.3} {hand:>9.3} {ours:>9.3} {:<9} {to_raw:>9.2} {hand_to_raw:>8.2} {to_hand:>9.2}",
            self.name, self.unit
        );
        if !self.waits[2].is_empty() {
            let [raw, hand, ours] = [0, 1, 2].map(|at| percentile(&self.waits[at], 0.99));
            print!("   {raw:.1} {hand:.1} {ours:.1}");
        }
        let said = |met: bool, what: String| format!("   goal {what}: {}", if met { "met" } else { "missed" });
        let goal = match self.goal {
            Goal::Raw(most) => said(to_raw <= most, format!("{most} of raw")),
            Goal::Hand(most) => said(to_hand <= most, format!("{most} of hand")),
            Goal::Rate(least) => said(to_raw >= least, format!("at least {least} of raw")),
            Goal::HandRate(most) => said(to_hand * most >= 1.0, format!("hand at most {most} times")),
            Goal::None => String::new(),
        };
        println!("{goal}{}", self.note);
    }
}

pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    let (low, high) = ((figures.len() - 1) / 2, figures.len() / 2);
    f64::midpoint(figures[low], figures[high])
}

/// Returns a percentile in milliseconds.
pub(crate) fn percentile(micros: &[u32], part: f64) -> f64 {
    let mut micros = micros.to_vec();
    micros.sort_unstable();
    let last = micros.len().saturating_sub(1);
    micros.get((last as f64 * part) as usize).map_or(0.0, |micros| f64::from(*micros) / 1_000.0)
}

/// Returns the sides in the order of a round: each side is first, second and third in turn.
pub(crate) fn order(round: usize) -> [Side; 3] {
    let mut sides = Side::ALL;
    sides.rotate_left(round % 3);
    sides
}

/// Returns true when the command line names this row, or names no row.
pub(crate) fn is_asked(name: &str) -> bool {
    let words = words();
    words.is_empty() || words.iter().any(|word| name.contains(word.as_str()))
}

pub(crate) fn words() -> Vec<String> {
    std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect()
}

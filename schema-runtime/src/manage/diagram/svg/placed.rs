//! The places of boxes and lines. Data only.

use super::size::Columns;

#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedCard {
    pub(super) number: usize,
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) height: i64,
    pub(super) columns: Columns,
}

#[derive(Clone, Debug, Default)]
pub(super) struct PlacedLine {
    /// The corners, from the start to the end.
    pub(super) points: Vec<(i64, i64)>,
    pub(super) labels: Vec<Label>,
}

/// A text at an end of a line.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) text: String,
    /// True when the text ends at `x`.
    pub(super) ends: bool,
}

/// The place of a box in the columns, and the lanes of a line.
#[derive(Clone, Debug)]
pub(super) struct Ranked {
    /// The column of each box of the part.
    pub(super) column: Vec<usize>,
    /// The wanted middle of each box.
    pub(super) middle: Vec<f64>,
    /// For each line, the wanted height of the lane in each column between the ends, from the left to the right.
    pub(super) lanes: Vec<Vec<f64>>,
    pub(super) columns: usize,
}

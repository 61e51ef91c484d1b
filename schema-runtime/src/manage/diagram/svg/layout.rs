//! Places the boxes in columns and the lines between the boxes. Pure.
//!
//! `dagre` gives each box a rank and each line a place in the ranks that the line passes. Each rank is a column. A line
//! runs horizontally through a column, in a lane of its own, and vertically only in the channel between two columns, on
//! a track of its own. So no line meets a foreign box, and no two lines share a segment.

use std::collections::BTreeMap;

use dagre::{EdgeLabel, LayoutOptions, NodeLabel, RankDir, graph::Graph, layout::types::Acyclicer};

use super::{
    super::picture::{Line, LineKind, Picture},
    placed::{PlacedCard, PlacedLine, Ranked},
    ports,
    size::{self, Columns, SLOT, slots},
    tracks,
};

/// The space around the picture.
pub(super) const MARGIN: i64 = 24;
/// The length of a line in the legend.
pub(super) const SAMPLE: i64 = 30;
/// The space between two parts of the picture.
const GAP: i64 = 2 * SLOT;
/// The width of a row of boxes without lines.
const ROW: i64 = 1400;

/// The classes and the words of the legend.
pub(super) const LEGEND: [(&str, &str); 3] = [
    ("relation", "relation; a dot marks the truth of a two_way"),
    ("copy", "copy, from the source"),
    ("rollup", "value that a parent keeps of its children"),
];

pub(super) fn legend_width(words: &str) -> i64 {
    SAMPLE + 6 + size::LABEL.width(words) + 20
}

#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) width: i64,
    pub(super) height: i64,
    /// The boxes, in the order of the picture.
    pub(super) cards: Vec<PlacedCard>,
    /// The lines, in the order of the picture.
    pub(super) lines: Vec<PlacedLine>,
}

pub(super) fn layout(picture: &Picture) -> Layout {
    let mut cards: Vec<PlacedCard> = picture
        .cards
        .iter()
        .enumerate()
        .map(|(number, card)| PlacedCard { number, x: 0, y: 0, height: slots(card) * SLOT, columns: Columns::of(card) })
        .collect();
    let mut lines = vec![PlacedLine::default(); picture.lines.len()];
    let (mut top, mut width) = (MARGIN, LEGEND.iter().map(|(_, words)| legend_width(words)).sum::<i64>());
    let (connected, alone): (Vec<Vec<usize>>, Vec<Vec<usize>>) =
        parts(picture).into_iter().partition(|part| part.len() > 1 || has_line(picture, part[0]));
    for part in &connected {
        let numbers: Vec<usize> =
            (0..picture.lines.len()).filter(|line| part.contains(&picture.lines[*line].from.card)).collect();
        let ranked = rank(picture, &cards, part, &numbers);
        let placed = tracks::place(picture, &mut cards, part, &numbers, &ranked, (MARGIN, top));
        for (number, line) in numbers.iter().zip(placed.lines) {
            lines[*number] = line;
        }
        width = width.max(placed.width);
        top += placed.height + GAP;
    }
    let (mut x, mut row) = (MARGIN, 0);
    for card in alone.into_iter().flatten() {
        if x > MARGIN && x + cards[card].columns.width > ROW {
            (x, top, row) = (MARGIN, top + row + GAP, 0);
        }
        (cards[card].x, cards[card].y) = (x, top);
        x += cards[card].columns.width + GAP;
        width = width.max(x - MARGIN);
        row = row.max(cards[card].height);
    }
    let bottom = if row > 0 { top + row + GAP } else { top };
    Layout { width: width + 2 * MARGIN, height: bottom + MARGIN, cards, lines }
}

fn has_line(picture: &Picture, card: usize) -> bool {
    picture.lines.iter().any(|line| line.from.card == card || line.to.card == card)
}

/// Returns the boxes that lines connect, in parts; the largest part first.
fn parts(picture: &Picture) -> Vec<Vec<usize>> {
    let mut part: Vec<usize> = (0..picture.cards.len()).collect();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for line in &picture.lines {
            let least = part[line.from.card].min(part[line.to.card]);
            for card in [line.from.card, line.to.card] {
                is_changed |= part[card] != least;
                part[card] = least;
            }
        }
    }
    let mut parts: Vec<Vec<usize>> = (0..part.len())
        .map(|first| (0..part.len()).filter(|card| part[*card] == first).collect::<Vec<usize>>())
        .filter(|part| !part.is_empty())
        .collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    parts
}

/// Returns the boxes of a line, the box to stand at the left first.
fn left_first(line: &Line) -> (usize, usize) {
    if line.is_upward { (line.to.card, line.from.card) } else { (line.from.card, line.to.card) }
}

/// Returns the two boxes of a line in the order of their numbers.
fn pair(line: &Line) -> (usize, usize) {
    (line.from.card.min(line.to.card), line.from.card.max(line.to.card))
}

/// Returns the left box, the right box and the weight of the lines between each two boxes.
fn edges(picture: &Picture, lines: &[usize]) -> BTreeMap<(usize, usize), ((usize, usize), i32)> {
    let mut edges = BTreeMap::new();
    for line in lines.iter().map(|number| &picture.lines[*number]).filter(|line| line.from.card != line.to.card) {
        // Relations pull boxes together more than copies.
        let weight = if matches!(line.kind, LineKind::Reference | LineKind::TwoWay) { 2 } else { 1 };
        edges.entry(pair(line)).or_insert((left_first(line), 0)).1 += weight;
    }
    edges
}

fn rank(picture: &Picture, cards: &[PlacedCard], part: &[usize], lines: &[usize]) -> Ranked {
    let mut graph: Graph<NodeLabel, EdgeLabel> = Graph::new();
    let name = |card: usize| format!("n{card:05}");
    for card in part {
        let height = cards[*card].height + SLOT * ports::free_ends(picture, *card);
        let (width, height) = (cards[*card].columns.width as f64, height as f64);
        graph.set_node(name(*card), Some(NodeLabel { width, height, ..NodeLabel::default() }));
    }
    let edges = edges(picture, lines);
    for ((left, right), weight) in edges.values() {
        let label = EdgeLabel { weight: *weight, ..EdgeLabel::default() };
        graph.set_edge(name(*left), name(*right), Some(label), None);
    }
    // The greedy choice turns few lines of a loop: the picture has about half the columns of the default choice.
    let acyclicer = Some(Acyclicer::Greedy);
    let spaces = LayoutOptions { nodesep: 48.0, edgesep: 16.0, ..LayoutOptions::default() };
    let options = LayoutOptions { rankdir: RankDir::LR, acyclicer, ..spaces };
    dagre::layout(&mut graph, Some(options));
    let rank = |card: usize| graph.node(&name(card)).and_then(|node| node.rank).unwrap_or_default();
    let middle = |card: usize| graph.node(&name(card)).and_then(|node| node.y).unwrap_or_default();
    let mut ranks: Vec<i32> = part.iter().map(|card| rank(*card)).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let column = |card: usize| ranks.binary_search(&rank(card)).unwrap_or_default();
    let lanes = lines.iter().map(|number| {
        let line = &picture.lines[*number];
        let Some(((left, right), _)) = edges.get(&pair(line)).copied() else { return Vec::new() };
        let edge = graph.edge(&name(left), &name(right), None);
        let points = edge.map(|edge| edge.points.clone()).unwrap_or_default();
        let (from, to) = (rank(left).min(rank(right)), rank(left).max(rank(right)));
        let is_turned = rank(left) > rank(right);
        let between = ranks.iter().filter(|rank| from < **rank && **rank < to);
        between
            .map(|rank| {
                let step = usize::try_from(rank - from).unwrap_or_default();
                let at = if is_turned { points.len().checked_sub(1 + step) } else { Some(step) };
                let part = f64::from(rank - from) / f64::from(to - from);
                let (low, high) = if is_turned { (middle(right), middle(left)) } else { (middle(left), middle(right)) };
                at.and_then(|at| points.get(at)).map_or(low + part * (high - low), |point| point.y)
            })
            .collect()
    });
    Ranked {
        lanes: lanes.collect(),
        column: part.iter().map(|card| column(*card)).collect(),
        middle: part.iter().map(|card| middle(*card)).collect(),
        columns: ranks.len(),
    }
}

//! Gives each box of a part, each lane and each vertical piece of a line its place. Pure.

use super::{
    super::picture::Picture,
    placed::{Label, PlacedCard, PlacedLine, Ranked},
    ports::{self, Port, Side},
    size::{LABEL, SLOT},
};

/// The space between two vertical pieces in a channel.
const PITCH: i64 = 8;
/// The least space between a box and a track.
const LEAST: i64 = 16;
/// The space between a box and a label.
const SPACE: i64 = 9;

/// A placed part of the picture.
pub(super) struct Part {
    pub(super) lines: Vec<PlacedLine>,
    pub(super) width: i64,
    pub(super) height: i64,
}

/// A vertical piece of a line, in the channel to the right of a column.
#[derive(Clone, Copy, Debug)]
struct Piece {
    line: usize,
    channel: usize,
    from: i64,
    to: i64,
    track: i64,
}

/// The line, from the left to the right: `true` when the start of the line is at the left.
struct Run {
    starts_left: bool,
    first: usize,
    last: usize,
    /// The heights of the lanes in the columns between.
    lanes: Vec<i64>,
}

pub(super) fn place(
    picture: &Picture,
    cards: &mut [PlacedCard],
    part: &[usize],
    lines: &[usize],
    ranked: &Ranked,
    (left, top): (i64, i64),
) -> Part {
    let column_of = |card: usize| ranked.column[part.iter().position(|other| *other == card).unwrap_or_default()];
    let ends = |line: &usize| (column_of(picture.lines[*line].from.card), column_of(picture.lines[*line].to.card));
    let sides: Vec<(Side, Side)> = lines
        .iter()
        .map(|line| match ends(line) {
            (from, to) if from < to => (Side::Right, Side::Left),
            (from, to) if from > to => (Side::Left, Side::Right),
            _ => (Side::Right, Side::Right),
        })
        .collect();
    let (ports, needed) = ports::ports(picture, part, lines, &sides);
    for (card, slots) in part.iter().zip(needed) {
        cards[*card].height = slots * SLOT;
    }
    let mut runs: Vec<Run> = lines
        .iter()
        .zip(&ranked.lanes)
        .map(|(line, lanes)| {
            let (from, to) = ends(line);
            Run { starts_left: from <= to, first: from.min(to), last: from.max(to), lanes: vec![0; lanes.len()] }
        })
        .collect();
    let height = stack(cards, part, ranked, &mut runs, top);
    let tops: Vec<i64> = cards.iter().map(|card| card.y).collect();
    let port_y = |line: usize, is_start: bool| {
        let (port, end) = match is_start {
            true => (ports[line].0, &picture.lines[lines[line]].from),
            false => (ports[line].1, &picture.lines[lines[line]].to),
        };
        tops[end.card] + Port::y(port)
    };
    let mut pieces = pieces(&runs, &port_y);
    let tracks = assign(&mut pieces, ranked.columns);
    let texts: Vec<(String, String)> = lines.iter().map(|line| ports::labels(&picture.lines[*line])).collect();
    let zone = |column: usize, side: Side| {
        let at = |number: usize| {
            let line = &picture.lines[lines[number]];
            [(line.from.card, sides[number].0, &texts[number].0), (line.to.card, sides[number].1, &texts[number].1)]
        };
        let labels = (0..lines.len()).flat_map(at).filter(|(card, of, _)| *of == side && column_of(*card) == column);
        labels.map(|(_, _, text)| LABEL.width(text) + SPACE + 3).max().unwrap_or_default().max(LEAST)
    };
    let mut x = left;
    let mut bounds = Vec::new();
    for (column, count) in tracks.iter().enumerate() {
        let own = || part.iter().filter(|card| column_of(**card) == column);
        let width = own().map(|card| cards[*card].columns.width).max().unwrap_or_default();
        for card in own() {
            cards[*card].x = x;
        }
        let first_track = x + width + zone(column, Side::Right) + PITCH;
        let is_last = column + 1 == ranked.columns;
        let next = if is_last { 0 } else { zone(column + 1, Side::Left) };
        bounds.push((x, first_track));
        x = first_track + count * PITCH + next;
    }
    let placed = (0..lines.len()).map(|number| {
        let line = &picture.lines[lines[number]];
        let track = |piece: &&Piece| piece.line == number;
        let mut points = Vec::new();
        for piece in pieces.iter().filter(track) {
            let x = bounds[piece.channel].1 + piece.track * PITCH;
            points.extend([(x, piece.from), (x, piece.to)]);
        }
        if !runs[number].starts_left {
            points.reverse();
        }
        let end = |card: usize, side: Side, is_start: bool| {
            let x = cards[card].x + if side == Side::Right { cards[card].columns.width } else { 0 };
            (x, port_y(number, is_start))
        };
        let (start, stop) = (end(line.from.card, sides[number].0, true), end(line.to.card, sides[number].1, false));
        points.insert(0, start);
        points.push(stop);
        let label = |(x, y): (i64, i64), card: usize, side: Side, text: &str| {
            let edge = cards[card].x;
            match side {
                // The zone of labels begins at the edge of the box: the remaining boxes of the column end elsewhere.
                Side::Right => Label { x: x + SPACE, y: y - 4, text: text.to_owned(), ends: false },
                Side::Left => Label { x: edge - SPACE, y: y - 4, text: text.to_owned(), ends: true },
            }
        };
        let labels = vec![
            label(start, line.from.card, sides[number].0, &texts[number].0),
            label(stop, line.to.card, sides[number].1, &texts[number].1),
        ];
        PlacedLine { points, labels: labels.into_iter().filter(|label| !label.text.is_empty()).collect() }
    });
    Part { lines: placed.collect(), width: x - left, height }
}

/// Gives the boxes and the lanes of each column their heights, and returns the height of the part.
fn stack(cards: &mut [PlacedCard], part: &[usize], ranked: &Ranked, runs: &mut [Run], top: i64) -> i64 {
    enum Item {
        Card(usize),
        Lane(usize, usize),
    }
    let mut height = 0;
    for column in 0..ranked.columns {
        let own = (0..part.len()).filter(|at| ranked.column[*at] == column);
        let mut items: Vec<(f64, Item)> = own.map(|at| (ranked.middle[at], Item::Card(part[at]))).collect();
        for (number, run) in runs.iter().enumerate() {
            if run.first < column && column < run.last {
                let lane = column - run.first - 1;
                items.push((ranked.lanes[number][lane], Item::Lane(number, lane)));
            }
        }
        items.sort_by(|one, other| one.0.total_cmp(&other.0));
        let offset = if column % 2 == 0 { 2 } else { 14 };
        let (mut cursor, mut was_lane) = (0, false);
        for (middle, item) in items {
            let wanted = |height: i64| ((middle - height as f64 / 2.0) / SLOT as f64).floor() as i64 * SLOT;
            match item {
                Item::Card(card) => {
                    let y = wanted(cards[card].height).max(cursor + if was_lane { SLOT } else { 0 });
                    cards[card].y = top + y;
                    (cursor, was_lane) = (y + cards[card].height + 2 * SLOT, false);
                }
                Item::Lane(number, lane) => {
                    let y = wanted(SLOT).max(cursor);
                    runs[number].lanes[lane] = top + y + offset;
                    (cursor, was_lane) = (y + SLOT, true);
                }
            }
        }
        height = height.max(cursor);
    }
    height
}

/// Returns the vertical pieces of the lines, in the channels from the left to the right.
fn pieces(runs: &[Run], port_y: &dyn Fn(usize, bool) -> i64) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (line, run) in runs.iter().enumerate() {
        let (at_left, at_right) = (port_y(line, run.starts_left), port_y(line, !run.starts_left));
        let mut heights = vec![at_left];
        heights.extend(&run.lanes);
        heights.push(at_right);
        for (step, pair) in heights.windows(2).enumerate() {
            pieces.push(Piece { line, channel: run.first + step, from: pair[0], to: pair[1], track: 0 });
        }
    }
    pieces
}

/// Gives each piece a track on which no other piece is near, and returns the number of tracks of each channel.
fn assign(pieces: &mut [Piece], columns: usize) -> Vec<i64> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|at| (pieces[*at].from.min(pieces[*at].to), *at));
    let mut ends: Vec<Vec<i64>> = vec![Vec::new(); columns];
    for at in order {
        let piece = pieces[at];
        let (first, last) = (piece.from.min(piece.to), piece.from.max(piece.to));
        let tracks = &mut ends[piece.channel];
        let free = tracks.iter().position(|end| end + PITCH < first);
        let track = free.unwrap_or_else(|| {
            tracks.push(0);
            tracks.len() - 1
        });
        tracks[track] = last;
        pieces[at].track = i64::try_from(track).unwrap_or_default();
    }
    ends.iter().map(|tracks| i64::try_from(tracks.len()).unwrap_or_default()).collect()
}

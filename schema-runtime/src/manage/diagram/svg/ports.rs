//! The places at which lines meet boxes: each end of a line has a line of text of its own. Pure.

use super::{
    super::picture::{End, Line, LineKind, Picture},
    size::{SLOT, short, slot_of, slots},
};

/// A side of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// The end of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Port {
    pub(super) side: Side,
    /// The line of text, from the top of the box.
    pub(super) slot: i64,
}

impl Port {
    /// Returns the height below the top of the box. Lines that leave to the left and to the right never have one
    /// height.
    pub(super) fn y(self) -> i64 {
        self.slot * SLOT + if self.side == Side::Left { 10 } else { 6 }
    }
}

/// Returns the number of ends at a box that name no field.
pub(super) fn free_ends(picture: &Picture, card: usize) -> i64 {
    let ends = picture.lines.iter().flat_map(|line| [&line.from, &line.to]);
    i64::try_from(ends.filter(|end| end.card == card && end.row.is_none()).count()).unwrap_or_default()
}

/// Returns the ports of the start and the end of each line, and the number of lines of text that each box needs.
/// `sides` has the sides of the start and the end of each line.
pub(super) fn ports(
    picture: &Picture,
    part: &[usize],
    lines: &[usize],
    sides: &[(Side, Side)],
) -> (Vec<(Port, Port)>, Vec<i64>) {
    let mut ports = vec![(Port { side: Side::Left, slot: 0 }, Port { side: Side::Left, slot: 0 }); lines.len()];
    let mut needed: Vec<i64> = part.iter().map(|card| slots(&picture.cards[*card])).collect();
    for (at, card) in part.iter().enumerate() {
        for side in [Side::Left, Side::Right] {
            let mut taken: Vec<i64> = Vec::new();
            for wants_row in [true, false] {
                for (number, line) in lines.iter().enumerate() {
                    let line = &picture.lines[*line];
                    for (is_start, end, its_side) in
                        [(true, &line.from, sides[number].0), (false, &line.to, sides[number].1)]
                    {
                        if end.card != *card || its_side != side || end.row.is_some() != wants_row {
                            continue;
                        }
                        let wanted = end.row.map_or(0, |row| slot_of(&picture.cards[*card], row));
                        let slot = (wanted..).find(|slot| !taken.contains(slot)).unwrap_or(wanted);
                        taken.push(slot);
                        needed[at] = needed[at].max(slot + 1);
                        let port = Port { side, slot };
                        if is_start { ports[number].0 = port } else { ports[number].1 = port }
                    }
                }
            }
        }
    }
    (ports, needed)
}

/// Returns the texts at the start and at the end of a line.
pub(super) fn labels(line: &Line) -> (String, String) {
    let named = |end: &End| format!("{}: {}, {}", line.name, end.words, line.stored);
    let labels = match line.kind {
        LineKind::Reference | LineKind::TwoWay => (named(&line.from), line.to.words.clone()),
        LineKind::Copy => (String::new(), format!("{}: copy", line.name)),
        LineKind::Rollup => (String::new(), format!("{}: {}", line.name, line.stored)),
        LineKind::View => (String::new(), "view".to_owned()),
    };
    (short(&labels.0), short(&labels.1))
}

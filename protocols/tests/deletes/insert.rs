//! The insert of a child, and in a transaction an insert or an update that makes a child refer to the parent.
//! May use `world`, `protocol`.

use crate::{
    protocol::Protocol,
    world::{Id, World},
};

/// An insert outside a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Insert {
    place: usize,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Insert,
    Read,
    /// Clears `_unchecked`: this parent was stored, and had no mark.
    Clear {
        of: u8,
    },
    Delete,
    /// Looks for the child.
    Look,
    /// Inserts the child: this parent was stored, and had no mark; only without the part `read_after_insert`.
    InsertLate {
        of: u8,
    },
}

/// An insert or an update in a transaction, which writes the parent too: one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Together {
    Insert { place: usize },
    Update { place: usize },
}

impl Insert {
    pub(crate) fn new(place: usize) -> Insert {
        Insert { place, stage: Stage::Insert }
    }

    /// Does the next step. `by`: the id of the insert, and also the mark of the child.
    pub(crate) fn step(self, by: Id, world: &mut World, protocol: &Protocol) -> Option<Insert> {
        let place = self.place;
        let unchecked = protocol.unchecked.then_some(by);
        let stage = match self.stage {
            Stage::Insert if !protocol.read_after_insert => Stage::InsertLate { of: world.unmarked()? },
            Stage::Insert if world.insert(place, by, unchecked, None) => Stage::Read,
            // Another child has the same `_id`.
            Stage::Insert => return None,
            Stage::InsertLate { of } if world.insert(place, by, unchecked, Some(of)) => Stage::Clear { of },
            Stage::InsertLate { .. } => return None,
            Stage::Read => match world.unmarked() {
                Some(_) if !protocol.unchecked => return answer(true, place, by, world),
                Some(of) => Stage::Clear { of },
                None => Stage::Delete,
            },
            Stage::Clear { of } => {
                if world.clear(place, by, Some(of), protocol) || !protocol.look_at_clear {
                    return answer(true, place, by, world);
                }
                Stage::Look
            }
            Stage::Delete => {
                if world.delete_unchecked(place, by, protocol) || !protocol.look_at_delete {
                    return answer(false, place, by, world);
                }
                Stage::Look
            }
            Stage::Look => return answer(world.places[place].child.is_some(), place, by, world),
        };
        Some(Insert { place, stage })
    }
}

/// Notes the answer: a success, or an error.
fn answer(answer: bool, place: usize, by: Id, world: &mut World) -> Option<Insert> {
    world.answer(place, by, answer);
    None
}

impl Together {
    /// Does the transaction. If the parent is missing or has a mark, nothing is written, and the answer is an error.
    pub(crate) fn step(self, by: Id, world: &mut World, protocol: &Protocol) {
        let parent = world.parent.filter(|parent| parent.deleting.is_none() || !protocol.heed_mark);
        let Some(of) = parent.map(|parent| parent.number) else { return };
        match self {
            Together::Insert { place } => {
                if world.insert(place, by, None, Some(of)) {
                    world.answer(place, by, true);
                }
            }
            Together::Update { place } => world.refer(place, of, protocol),
        }
    }
}

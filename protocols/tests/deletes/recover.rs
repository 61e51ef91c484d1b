//! `recover`: goes on with the delete that `recover` finds, then checks the unchecked children. May use `delete`,
//! `world`, `protocol`.

use crate::{
    delete::Delete,
    protocol::Protocol,
    world::{Id, Place, World},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Recover {
    Parent(Delete),
    Find,
    /// Reads the parent of the child.
    Read {
        left: Vec<Unchecked>,
    },
    /// Clears `_unchecked`: this parent is stored and has no mark, or the child needs no parent.
    Clear {
        left: Vec<Unchecked>,
        of: Option<u8>,
    },
    Delete {
        left: Vec<Unchecked>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Unchecked {
    place: usize,
    mark: Id,
    refers: bool,
}

impl Recover {
    pub(crate) fn new() -> Recover {
        Recover::Parent(Delete::recover())
    }

    pub(crate) fn step(self, me: usize, world: &mut World, protocol: &Protocol) -> Option<Recover> {
        match self {
            Recover::Parent(of) => Some(of.step(me, world, protocol).map_or(Recover::Find, Recover::Parent)),
            Recover::Find => {
                let unchecked = |(place, of): (usize, &Place)| {
                    let child = of.child?;
                    Some(Unchecked { place, mark: child.unchecked?, refers: child.refers })
                };
                next(world.places.iter().enumerate().filter_map(unchecked).rev().collect())
            }
            Recover::Read { mut left } => match world.parent {
                None => Some(Recover::Delete { left }),
                Some(parent) if parent.deleting.is_none() => Some(Recover::Clear { left, of: Some(parent.number) }),
                Some(_) if protocol.leave_marked => {
                    left.pop();
                    next(left)
                }
                Some(_) => Some(Recover::Delete { left }),
            },
            Recover::Clear { mut left, of } => {
                if let Some(Unchecked { place, mark, .. }) = left.pop() {
                    world.clear(place, mark, of, protocol);
                }
                next(left)
            }
            Recover::Delete { mut left } => {
                if let Some(Unchecked { place, mark, .. }) = left.pop() {
                    world.delete_unchecked(place, mark, protocol);
                }
                next(left)
            }
        }
    }
}

/// Returns the step for the last of the unchecked children; a child that refers to nothing has no parent to read.
fn next(left: Vec<Unchecked>) -> Option<Recover> {
    let refers = left.last()?.refers;
    Some(if refers { Recover::Read { left } } else { Recover::Clear { left, of: None } })
}

//! A bulk that writes one holder twice, under one mark: both writes hold the values read before from the source, and no
//! guard for newer copies stops the writes. May use `propagation`, `world`, `protocol`.

use crate::{
    propagation::{Look, LookAction},
    protocol::Protocol,
    world::{Seen, World},
};

/// Inserts a holder, and writes the holder once more.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bulk {
    Read { holder: usize, source: usize },
    Insert { holder: usize, source: usize, seen: Seen },
    WriteAgain { holder: usize, source: usize, seen: Seen },
    Look(Look),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BulkAction {
    Read,
    Insert,
    WriteAgain,
    Look(LookAction),
}

impl Bulk {
    pub(crate) fn actions(&self, world: &World) -> Vec<BulkAction> {
        match self {
            Bulk::Read { source, .. } if world.source_can_be_read(*source) => vec![BulkAction::Read],
            Bulk::WriteAgain { holder, .. } if world.holder_is_free(*holder) => vec![BulkAction::WriteAgain],
            Bulk::Read { .. } | Bulk::WriteAgain { .. } => vec![],
            Bulk::Insert { .. } => vec![BulkAction::Insert],
            Bulk::Look(look) => look.actions(world).into_iter().map(BulkAction::Look).collect(),
        }
    }

    pub(crate) fn next(self, me: usize, world: &mut World, protocol: &Protocol) -> Option<Bulk> {
        let mark = Some(me);
        match self {
            Bulk::Read { holder, source } => {
                world.read(source, protocol).map(|seen| Bulk::Insert { holder, source, seen })
            }
            Bulk::Insert { holder, source, seen } => {
                world.insert_holder(holder, source, seen, mark);
                Some(Bulk::WriteAgain { holder, source, seen })
            }
            Bulk::WriteAgain { holder, source, seen } => {
                world.insert_holder(holder, source, seen, mark);
                Some(Bulk::Look(Look::by_mark(holder, source, mark, seen.version)))
            }
            Bulk::Look(look) => look.next(world, true, protocol).map(Bulk::Look),
        }
    }
}

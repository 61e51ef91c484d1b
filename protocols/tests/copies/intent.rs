//! Inserts of many holders: one intent names the holders beforehand, instead of a mark in each holder. The inserter
//! deletes the intent. A recover also deletes the intent, after all named holders are found and looked at: a missing
//! holder may still be inserted. May use `propagation`, `world`, `protocol`.

use crate::{
    propagation::{Look, LookAction},
    protocol::Protocol,
    world::{Seen, World},
};

/// Puts a new holder in, with copies and without a mark.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum IntentInserter {
    Read { holder: usize, source: usize },
    Intend { holder: usize, source: usize, seen: Seen },
    Insert { holder: usize, source: usize, seen: Seen },
    Look { holder: usize, look: Look },
    Forget { holder: usize },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum IntentInserterAction {
    Read,
    Intend,
    Insert,
    Look(LookAction),
    Forget,
}

impl IntentInserter {
    pub(crate) fn actions(&self, world: &World) -> Vec<IntentInserterAction> {
        match self {
            IntentInserter::Read { source, .. } if world.source_can_be_read(*source) => {
                vec![IntentInserterAction::Read]
            }
            IntentInserter::Read { .. } => vec![],
            IntentInserter::Intend { .. } => vec![IntentInserterAction::Intend],
            IntentInserter::Insert { .. } => vec![IntentInserterAction::Insert],
            IntentInserter::Look { look, .. } => {
                look.actions(world).into_iter().map(IntentInserterAction::Look).collect()
            }
            IntentInserter::Forget { .. } => vec![IntentInserterAction::Forget],
        }
    }

    pub(crate) fn next(self, world: &mut World, protocol: &Protocol) -> Option<IntentInserter> {
        match self {
            IntentInserter::Read { holder, source } => {
                let seen = world.read(source, protocol)?;
                Some(match protocol.intent_before_insert {
                    true => IntentInserter::Intend { holder, source, seen },
                    false => IntentInserter::Insert { holder, source, seen },
                })
            }
            IntentInserter::Intend { holder, source, seen } => {
                world.intents[holder] = true;
                Some(IntentInserter::Insert { holder, source, seen })
            }
            IntentInserter::Insert { holder, source, seen } => {
                world.insert_holder(holder, source, seen, None);
                Some(IntentInserter::Look { holder, look: Look::of(holder, source, None, seen.version) })
            }
            IntentInserter::Look { holder, look } => Some(match look.next(world, false, protocol) {
                Some(look) => IntentInserter::Look { holder, look },
                None => IntentInserter::Forget { holder },
            }),
            IntentInserter::Forget { holder } => {
                world.intents[holder] = false;
                None
            }
        }
    }
}

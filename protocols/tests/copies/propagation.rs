//! The work after each change of a source: the sweep, then the clearing of the mark; and the work after each new copy
//! in a holder: the look. May use `world`, `protocol`.

use crate::{
    protocol::Protocol,
    world::{Field, Seen, World},
};

const ALL: u8 = 0b11;

/// From a change of a source to the clearing of the source's mark.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Propagation {
    source: usize,
    seen: Seen,
    /// The only field that the sweep writes (without the part `whole_path`).
    only: Option<Field>,
    /// The holders that the sweep has not reached, a bit for each holder. The sweep reaches the holders in any order.
    to_sweep: u8,
    cleared: bool,
    /// The sweep at the end of a lease is still to come.
    again: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PropagationAction {
    Sweep(usize),
    AwaitEndOfLease,
    Clear,
}

impl Propagation {
    pub(crate) fn of(source: usize, seen: Seen, changed: Option<Field>, protocol: &Protocol) -> Propagation {
        let only = if protocol.whole_path { None } else { changed };
        Propagation { source, seen, only, to_sweep: ALL, cleared: false, again: protocol.lease.is_some() }
    }

    pub(crate) fn actions(&self, world: &World, protocol: &Protocol) -> Vec<PropagationAction> {
        if !protocol.clear_after_sweep && !self.cleared {
            return vec![PropagationAction::Clear];
        }
        let mut actions: Vec<_> = (0..2)
            .filter(|holder| self.to_sweep & 1 << holder != 0 && world.holder_is_free(*holder))
            .map(PropagationAction::Sweep)
            .collect();
        if self.to_sweep == 0 {
            let end_of_lease = protocol.lease.filter(|_| self.again).map(|lease| self.seen.at + lease);
            match end_of_lease {
                Some(end) if world.now > end => actions.push(PropagationAction::AwaitEndOfLease),
                None if !self.cleared && world.source_is_free(self.source) => actions.push(PropagationAction::Clear),
                _ => {}
            }
        }
        actions
    }

    /// Does one action; returns `None` when all actions are done.
    pub(crate) fn next(
        mut self,
        action: PropagationAction,
        world: &mut World,
        protocol: &Protocol,
    ) -> Option<Propagation> {
        match action {
            PropagationAction::Sweep(holder) => {
                world.sweep_one(holder, self.source, self.seen, self.only, protocol);
                self.to_sweep &= !(1 << holder);
            }
            PropagationAction::AwaitEndOfLease => (self.again, self.to_sweep) = (false, ALL),
            PropagationAction::Clear => {
                world.clear(self.source, self.seen, protocol);
                self.cleared = true;
            }
        }
        let done = self.cleared && self.to_sweep == 0;
        (!done).then_some(self)
    }
}

/// From a new copy in a holder to the clearing of the holder's mark.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Look {
    holder: usize,
    source: usize,
    mark: Option<usize>,
    /// The version of the copy that was put in.
    have: u8,
    /// The look finds the holder by the mark alone.
    by_mark: bool,
    state: LookState,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum LookState {
    Look,
    Repair(Seen),
    ClearMark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LookAction {
    /// `find(source)`
    Look,
    /// Repairs the copy, if the source has changed.
    Repair,
    ClearMark,
}

impl Look {
    pub(crate) fn of(holder: usize, source: usize, mark: Option<usize>, have: u8) -> Look {
        Look { holder, source, mark, have, by_mark: false, state: LookState::Look }
    }

    /// Makes the look of a writer, for all holders with the writer's mark.
    pub(crate) fn by_mark(holder: usize, source: usize, mark: Option<usize>, have: u8) -> Look {
        Look { by_mark: mark.is_some(), ..Look::of(holder, source, mark, have) }
    }

    pub(crate) fn actions(&self, world: &World) -> Vec<LookAction> {
        let action = match self.state {
            LookState::Look => world.source_can_be_read(self.source).then_some(LookAction::Look),
            LookState::Repair(_) => world.holder_is_free(self.holder).then_some(LookAction::Repair),
            LookState::ClearMark => world.holder_is_free(self.holder).then_some(LookAction::ClearMark),
        };
        action.into_iter().collect()
    }

    /// Does the only possible action; returns `None` when all actions are done. `clears`: the mark is cleared at once.
    pub(crate) fn next(mut self, world: &mut World, clears: bool, protocol: &Protocol) -> Option<Look> {
        self.state = match self.state {
            LookState::Look => match world.read(self.source, protocol) {
                Some(seen) if seen.version != self.have => LookState::Repair(seen),
                // The source is unchanged or gone: a copy of a missing source is left unchanged.
                _ => LookState::ClearMark,
            },
            LookState::Repair(seen) => {
                if !self.by_mark || world.holders[self.holder].is_some_and(|holder| holder.mark == self.mark) {
                    world.repair(self.holder, self.source, seen, protocol);
                }
                LookState::ClearMark
            }
            LookState::ClearMark => {
                world.clear_holder(self.holder, self.mark, protocol);
                return None;
            }
        };
        let only_clearing_left = self.state == LookState::ClearMark && (!clears || self.mark.is_none());
        (!only_clearing_left).then_some(self)
    }
}

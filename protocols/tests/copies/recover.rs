//! `recover`: walks the marks of sources, then the marks of holders. May use `propagation`, `world`, `protocol`.

use crate::{
    propagation::{Look, LookAction, Propagation, PropagationAction},
    protocol::Protocol,
    world::World,
};

/// The marks of recovers begin here.
const OF_RECOVER: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Recover {
    /// Each source that is marked gets a new version, ..
    Touch { source: usize },
    /// .. and the current values are propagated.
    Propagate { source: usize, rest: Propagation },
    /// Each holder that is marked ..
    Find { holder: usize },
    /// .. gets a mark of this run, ..
    MarkAgain { holder: usize, mark: Option<usize> },
    /// .. is read, ..
    Read { holder: usize },
    /// .. is compared with the current source.
    Look { holder: usize, look: Look },
    /// Each intent, ..
    FindIntent { holder: usize },
    /// .. with a holder that is compared in the same way, ..
    LookForIntent { holder: usize, look: Look },
    /// .. is then deleted.
    Forget { holder: usize },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RecoverAction {
    Touch,
    Propagate(PropagationAction),
    Find,
    MarkAgain,
    Read,
    Look(LookAction),
    FindIntent,
    Forget,
}

impl Recover {
    pub(crate) const START: Recover = Recover::Touch { source: 0 };

    pub(crate) fn actions(&self, world: &World, protocol: &Protocol) -> Vec<RecoverAction> {
        match self {
            Recover::Touch { source } if world.source_is_free(*source) => vec![RecoverAction::Touch],
            Recover::Touch { .. } => vec![],
            Recover::Propagate { rest, .. } => {
                rest.actions(world, protocol).into_iter().map(RecoverAction::Propagate).collect()
            }
            Recover::Find { .. } => vec![RecoverAction::Find],
            Recover::MarkAgain { holder, .. } if world.holder_is_free(*holder) => vec![RecoverAction::MarkAgain],
            Recover::MarkAgain { .. } => vec![],
            Recover::Read { .. } => vec![RecoverAction::Read],
            Recover::Look { look, .. } | Recover::LookForIntent { look, .. } => {
                look.actions(world).into_iter().map(RecoverAction::Look).collect()
            }
            Recover::FindIntent { .. } => vec![RecoverAction::FindIntent],
            Recover::Forget { .. } => vec![RecoverAction::Forget],
        }
    }

    pub(crate) fn next(
        self,
        me: usize,
        action: RecoverAction,
        world: &mut World,
        protocol: &Protocol,
    ) -> Option<Recover> {
        // The mark of no writer.
        let mine = Some(OF_RECOVER + me);
        match (self, action) {
            (Recover::Touch { source }, _) => {
                let marked = world.sources[source].is_some_and(|source| source.mark.is_some() || source.register != 0);
                match marked.then(|| world.touch(source, protocol)).flatten() {
                    Some(seen) => {
                        Some(Recover::Propagate { source, rest: Propagation::of(source, seen, None, protocol) })
                    }
                    None => Recover::after_source(source),
                }
            }
            (Recover::Propagate { source, rest }, RecoverAction::Propagate(action)) => {
                match rest.next(action, world, protocol) {
                    Some(rest) => Some(Recover::Propagate { source, rest }),
                    None => Recover::after_source(source),
                }
            }
            (Recover::Find { holder }, _) => match world.holders[holder] {
                Some(of) if of.mark.is_some() && protocol.recover_marks_again => {
                    Some(Recover::MarkAgain { holder, mark: of.mark })
                }
                Some(of) if of.mark.is_some() => {
                    Some(Recover::Look { holder, look: Look::of(holder, of.source, of.mark, of.version) })
                }
                _ => Recover::after_holder(holder, world),
            },
            (Recover::MarkAgain { holder, mark }, _) => {
                if let Some(of) = world.holders[holder].as_mut().filter(|of| of.mark == mark) {
                    of.mark = mine;
                }
                Some(Recover::Read { holder })
            }
            (Recover::Read { holder }, _) => match world.holders[holder] {
                Some(of) if of.mark == mine => {
                    Some(Recover::Look { holder, look: Look::of(holder, of.source, mine, of.version) })
                }
                _ => Recover::after_holder(holder, world),
            },
            (Recover::Look { holder, look }, _) => match look.next(world, true, protocol) {
                Some(look) => Some(Recover::Look { holder, look }),
                None => Recover::after_holder(holder, world),
            },
            (Recover::FindIntent { holder }, _) => match world.holders[holder] {
                Some(of) if world.intents[holder] => {
                    Some(Recover::LookForIntent { holder, look: Look::of(holder, of.source, None, of.version) })
                }
                None if world.intents[holder] && !protocol.keeps_open_intents => Some(Recover::Forget { holder }),
                _ => Recover::after_intent(holder),
            },
            (Recover::LookForIntent { holder, look }, _) => Some(match look.next(world, false, protocol) {
                Some(look) => Recover::LookForIntent { holder, look },
                None => Recover::Forget { holder },
            }),
            (Recover::Forget { holder }, _) => {
                world.intents[holder] = false;
                Recover::after_intent(holder)
            }
            _ => unreachable!("an action of another state"),
        }
    }

    fn after_intent(holder: usize) -> Option<Recover> {
        (holder == 0).then_some(Recover::FindIntent { holder: 1 })
    }

    fn after_source(source: usize) -> Option<Recover> {
        Some(if source == 0 { Recover::Touch { source: 1 } } else { Recover::Find { holder: 0 } })
    }

    fn after_holder(holder: usize, world: &World) -> Option<Recover> {
        match holder {
            0 => Some(Recover::Find { holder: 1 }),
            // A step only when intents exist: without intents the step would do nothing.
            _ => world.intents.iter().any(|intent| *intent).then_some(Recover::FindIntent { holder: 0 }),
        }
    }
}

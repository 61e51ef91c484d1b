//! The delete of the parent: by a client, by a client that began the delete in a transaction, or by `recover`, which
//! begins no delete. May use `world`, `protocol`.

use crate::{
    protocol::{Protocol, Take},
    world::{Deleting, Id, Parent, Rule, World},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Delete {
    kind: Kind,
    /// The number of marks that the delete has set.
    marks: u8,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Alone,
    InTransaction,
    Recover,
}

/// The mark that the delete goes on with, and the parent in which the mark was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct At {
    mark: Id,
    of: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    LookBefore,
    /// Commits: the transaction found no child that restricts, and has read the parent in this state.
    Commit {
        read: Option<Parent>,
    },
    Mark,
    Read,
    LookAfter(At),
    Unmark(At),
    Pass(At),
    Find(At),
    Check(At, Found),
    Take(At, Found),
    Remove(At),
}

/// A child, and the `_unchecked` of the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Found {
    place: usize,
    unchecked: Option<Id>,
}

fn restricts(rule: Rule) -> bool {
    rule == Rule::Restrict
}

fn is_taken(rule: Rule) -> bool {
    rule != Rule::Restrict
}

impl Delete {
    pub(crate) fn alone() -> Delete {
        Delete { kind: Kind::Alone, marks: 0, stage: Stage::LookBefore }
    }

    pub(crate) fn in_transaction() -> Delete {
        Delete { kind: Kind::InTransaction, ..Delete::alone() }
    }

    /// Makes a delete that goes on with the mark that the delete finds.
    pub(crate) fn recover() -> Delete {
        Delete { kind: Kind::Recover, marks: 0, stage: Stage::Read }
    }

    pub(crate) fn step(mut self, me: usize, world: &mut World, protocol: &Protocol) -> Option<Delete> {
        self.stage = match self.stage {
            // Restricted.
            Stage::LookBefore if world.find(restricts).is_some() => return None,
            Stage::LookBefore if self.kind == Kind::InTransaction => Stage::Commit { read: world.parent },
            Stage::LookBefore if world.has_rule(restricts) => Stage::Mark,
            Stage::LookBefore | Stage::Mark => self.mark(!protocol.look_after_mark, me, world, protocol),
            // Another client has written the documents of the transaction.
            Stage::Commit { read } if read.is_none() || read != world.parent => return None,
            Stage::Commit { .. } => self.mark(!protocol.look_after_commit, me, world, protocol),
            Stage::Read => self.read(world, protocol)?,
            Stage::LookAfter(at) => match world.find(restricts) {
                Some(_) => Stage::Unmark(at),
                None if protocol.passed => Stage::Pass(at),
                None => Stage::Find(at),
            },
            Stage::Unmark(at) => {
                // Restricted.
                world.unmark(at.mark, protocol);
                return None;
            }
            Stage::Pass(at) if world.pass(at.mark) || !protocol.look_at_pass => Stage::Find(at),
            Stage::Pass(_) => Stage::Read,
            Stage::Find(at) => match world.find(is_taken) {
                Some(place) => {
                    let found = Found { place, unchecked: world.unchecked(place) };
                    match protocol.take {
                        Take::Checked | Take::AsFound => Stage::Check(at, found),
                        Take::Referring | Take::InTransaction => Stage::Take(at, found),
                    }
                }
                None => Stage::Remove(at),
            },
            Stage::Check(at, found) if has_mark(at, world) => Stage::Take(at, found),
            // Another client has deleted the parent.
            Stage::Check(at, _) => return gone(at, world),
            Stage::Take(at, found) => {
                let may_take = match protocol.take {
                    Take::Referring | Take::Checked => true,
                    Take::AsFound => world.unchecked(found.place) == found.unchecked,
                    Take::InTransaction if has_mark(at, world) => true,
                    Take::InTransaction => return gone(at, world),
                };
                if may_take {
                    world.take(found.place, at.of);
                }
                Stage::Find(at)
            }
            Stage::Remove(at) => {
                world.remove(at.mark, protocol);
                return gone(at, world);
            }
        };
        Some(self)
    }

    fn mark(&mut self, has_looked: bool, me: usize, world: &mut World, protocol: &Protocol) -> Stage {
        let passed = has_looked || !world.has_rule(restricts);
        let mark = Id { of: me as u8, number: self.marks };
        let Some(of) = world.mark(Deleting { mark, passed }, protocol) else { return Stage::Read };
        self.marks += 1;
        let at = At { mark, of };
        if passed { Stage::Find(at) } else { Stage::LookAfter(at) }
    }

    /// Goes on with the stored mark. When the parent is gone, no work is left.
    fn read(self, world: &World, protocol: &Protocol) -> Option<Stage> {
        let parent = world.parent?;
        match parent.deleting {
            Some(Deleting { mark, passed }) => {
                let at = At { mark, of: parent.number };
                let has_passed = passed && protocol.passed || !world.has_rule(restricts);
                Some(if has_passed { Stage::Find(at) } else { Stage::LookAfter(at) })
            }
            None if self.kind == Kind::Recover => None,
            None => Some(Stage::Mark),
        }
    }
}

fn has_mark(at: At, world: &World) -> bool {
    world.deleting().is_some_and(|deleting| deleting.mark == at.mark)
}

/// Notes the answer: a success.
fn gone(at: At, world: &mut World) -> Option<Delete> {
    world.answered_gone |= 1 << at.of;
    None
}

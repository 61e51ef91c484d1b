//! Who does what, a step at a time: each step is one command. May use `bring`, `world`, `protocol`.

use crate::{
    bring::{Bring, BringAction, Progress},
    protocol::Protocol,
    world::{Door, Id, Ids, World},
};

/// An actor's own next command, or one of those that bring a parent up to its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Own,
    Bring(BringAction),
}

fn steps(bring: &Bring, world: &World) -> Vec<Step> {
    bring.actions(world).into_iter().map(Step::Bring).collect()
}

fn bring_on(bring: Bring, step: Step, world: &mut World, protocol: &Protocol) -> Progress {
    let Step::Bring(action) = step else { unreachable!("a step of another state") };
    bring.next(action, world, protocol)
}

/// Puts a new child in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Inserter {
    Read { child: usize, parent: usize, ids: Ids },
    Insert { child: usize, parent: usize, ids: Ids, epoch: Option<Option<Id>> },
    Bring { child: usize, mark: Id, bring: Bring },
    Clear { child: usize, mark: Id },
}

impl Inserter {
    pub(crate) fn steps(&self, world: &World) -> Vec<Step> {
        match self {
            Inserter::Bring { bring, .. } => steps(bring, world),
            _ => vec![Step::Own],
        }
    }

    pub(crate) fn next(self, step: Step, world: &mut World, protocol: &Protocol) -> Option<Inserter> {
        match self {
            Inserter::Read { child, parent, ids } => {
                let epoch = match world.door(parent) {
                    Door::Open(epoch) => Some(epoch),
                    Door::Closed if protocol.open_epoch_only => None,
                    Door::Closed => Some(world.parents[parent]?.epoch),
                    // Without a parent nothing is inserted: the caller gets an error.
                    Door::NoParent => return None,
                };
                Some(Inserter::Insert { child, parent, ids, epoch })
            }
            Inserter::Insert { child, parent, mut ids, epoch } => {
                let mark = ids.fresh();
                world.insert(child, parent, mark, protocol);
                Some(Inserter::Bring { child, mark, bring: Bring::add(child, parent, ids, epoch) })
            }
            Inserter::Bring { child, mark, bring } => match bring_on(bring, step, world, protocol) {
                Progress::On(bring) => Some(Inserter::Bring { child, mark, bring }),
                Progress::Done { .. } => protocol.clear_at_once.then_some(Inserter::Clear { child, mark }),
            },
            Inserter::Clear { child, mark } => {
                world.clear(child, Some(mark), protocol);
                None
            }
        }
    }
}

/// Changes a child.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Changer {
    Change { child: usize, value: u8, ids: Ids },
    Bring { child: usize, mark: Id, bring: Bring },
    Clear { child: usize, mark: Id },
}

impl Changer {
    pub(crate) fn steps(&self, world: &World) -> Vec<Step> {
        match self {
            Changer::Bring { bring, .. } => steps(bring, world),
            _ => vec![Step::Own],
        }
    }

    pub(crate) fn next(self, step: Step, world: &mut World, protocol: &Protocol) -> Option<Changer> {
        match self {
            Changer::Change { child, value, mut ids } => {
                let mark = ids.fresh();
                let parent = world.change(child, value, mark, protocol)?;
                Some(Changer::Bring { child, mark, bring: Bring::any(parent, ids) })
            }
            Changer::Bring { child, mark, bring } => match bring_on(bring, step, world, protocol) {
                Progress::On(bring) => Some(Changer::Bring { child, mark, bring }),
                Progress::Done { parent_is_there: true, .. } => None,
                Progress::Done { .. } => Some(Changer::Clear { child, mark }),
            },
            Changer::Clear { child, mark } => {
                world.clear(child, Some(mark), protocol);
                None
            }
        }
    }
}

/// Gives a child another parent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mover {
    Read {
        child: usize,
        to: usize,
        ids: Ids,
    },
    Move {
        child: usize,
        from: usize,
        to: usize,
        ids: Ids,
    },
    /// The parent that it left.
    Left {
        child: usize,
        to: usize,
        mark: Id,
        bring: Bring,
    },
    Pull {
        child: usize,
        from: usize,
        to: usize,
        mark: Id,
        ids: Ids,
    },
    Bring {
        child: usize,
        mark: Id,
        bring: Bring,
    },
    Clear {
        child: usize,
        mark: Id,
    },
}

impl Mover {
    pub(crate) fn steps(&self, world: &World) -> Vec<Step> {
        match self {
            Mover::Left { bring, .. } | Mover::Bring { bring, .. } => steps(bring, world),
            _ => vec![Step::Own],
        }
    }

    pub(crate) fn next(self, step: Step, world: &mut World, protocol: &Protocol) -> Option<Mover> {
        match self {
            Mover::Read { child, to, ids } => {
                let from = world.children[child].as_ref()?.parent;
                (from != to).then_some(Mover::Move { child, from, to, ids })
            }
            Mover::Move { child, from, to, mut ids } => {
                let mark = ids.fresh();
                let matched = world.reassign(child, from, to, mark, protocol);
                matched.then(|| Mover::Left { child, to, mark, bring: Bring::own(from, ids) })
            }
            Mover::Left { child, to, mark, bring } => {
                let from = bring.parent;
                match bring_on(bring, step, world, protocol) {
                    Progress::On(bring) => Some(Mover::Left { child, to, mark, bring }),
                    Progress::Done { ids, .. } => Some(Mover::Pull { child, from, to, mark, ids }),
                }
            }
            Mover::Pull { child, from, to, mark, ids } => {
                world.pull(child, (from, mark), protocol);
                Some(Mover::Bring { child, mark, bring: Bring::any(to, ids) })
            }
            Mover::Bring { child, mark, bring } => match bring_on(bring, step, world, protocol) {
                Progress::On(bring) => Some(Mover::Bring { child, mark, bring }),
                Progress::Done { parent_is_there: true, .. } => None,
                Progress::Done { .. } => Some(Mover::Clear { child, mark }),
            },
            Mover::Clear { child, mark } => {
                world.clear(child, Some(mark), protocol);
                None
            }
        }
    }
}

/// Deletes a child.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Deleter {
    Mark {
        child: usize,
        ids: Ids,
    },
    /// Another is deleting it, or it has changed since its parent was brought up: from the start, by a look at the open parent
    /// and by a recompute in turn.
    Find {
        child: usize,
        own: bool,
        ids: Ids,
    },
    /// The parents that it left, if their movers are not done.
    Left {
        child: usize,
        entry: Id,
        own: bool,
        bring: Bring,
    },
    Pull {
        child: usize,
        entry: (usize, Id),
        own: bool,
        ids: Ids,
    },
    Bring {
        child: usize,
        mark: Option<Id>,
        own: bool,
        bring: Bring,
    },
    Clear {
        child: usize,
        parent: usize,
        mark: Option<Id>,
        ids: Ids,
    },
    Delete {
        child: usize,
        parent: usize,
        epoch: Option<Id>,
        own: bool,
        ids: Ids,
    },
}

impl Deleter {
    pub(crate) fn steps(&self, world: &World) -> Vec<Step> {
        match self {
            Deleter::Bring { bring, .. } | Deleter::Left { bring, .. } => steps(bring, world),
            _ => vec![Step::Own],
        }
    }

    pub(crate) fn next(self, step: Step, world: &mut World, protocol: &Protocol) -> Option<Deleter> {
        match self {
            Deleter::Mark { child, ids } if !protocol.gone => {
                let of = world.children[child].take()?;
                Some(Deleter::Bring { child, mark: None, own: true, bring: Bring::own(of.parent, ids) })
            }
            Deleter::Mark { child, mut ids } => {
                let mark = ids.fresh();
                match world.mark_gone(child, mark) {
                    Some(of) if of.left.is_empty() => {
                        let bring = Bring::any(of.parent, ids);
                        Some(Deleter::Bring { child, mark: Some(mark), own: true, bring })
                    }
                    Some(_) => Some(Deleter::Find { child, own: true, ids }),
                    None => Some(Deleter::Find { child, own: false, ids }),
                }
            }
            Deleter::Find { child, own, ids } => {
                // Deleted by the other, and perhaps inserted again since.
                let of = world.children[child].as_ref().filter(|of| of.gone)?;
                Some(match of.left.first() {
                    Some(&(from, entry)) => Deleter::Left { child, entry, own, bring: Bring::own(from, ids) },
                    None if own => Deleter::Bring { child, mark: of.mark, own, bring: Bring::own(of.parent, ids) },
                    None => Deleter::Bring { child, mark: of.mark, own, bring: Bring::open(of.parent, ids) },
                })
            }
            Deleter::Left { child, entry, own, bring } => {
                let from = bring.parent;
                match bring_on(bring, step, world, protocol) {
                    Progress::On(bring) => Some(Deleter::Left { child, entry, own, bring }),
                    Progress::Done { ids, .. } => Some(Deleter::Pull { child, entry: (from, entry), own, ids }),
                }
            }
            Deleter::Pull { child, entry, own, ids } => {
                world.pull(child, entry, protocol);
                Some(Deleter::Find { child, own, ids })
            }
            Deleter::Bring { child, mark, own, bring } => {
                let parent = bring.parent;
                match bring_on(bring, step, world, protocol) {
                    Progress::On(bring) => Some(Deleter::Bring { child, mark, own, bring }),
                    Progress::Done { ids, epoch, parent_is_there: true } => {
                        Some(Deleter::Delete { child, parent, epoch, own, ids })
                    }
                    Progress::Done { ids, .. } => Some(Deleter::Clear { child, parent, mark, ids }),
                }
            }
            Deleter::Clear { child, parent, mark, ids } => {
                world.clear(child, mark, protocol);
                Some(Deleter::Delete { child, parent, epoch: None, own: true, ids })
            }
            Deleter::Delete { child, parent, epoch, own, ids } => {
                let done = world.delete(child, parent, epoch, protocol);
                (!done).then_some(Deleter::Find { child, own: !own, ids })
            }
        }
    }
}

/// Deletes a parent and inserts it again under the same `_id`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bearer {
    Delete { parent: usize, ids: Ids },
    Insert { parent: usize, ids: Ids },
    Bring(Bring),
}

impl Bearer {
    pub(crate) fn steps(&self, world: &World) -> Vec<Step> {
        match self {
            Bearer::Bring(bring) => steps(bring, world),
            _ => vec![Step::Own],
        }
    }

    pub(crate) fn next(self, step: Step, world: &mut World, protocol: &Protocol) -> Option<Bearer> {
        match self {
            Bearer::Delete { parent, ids } => {
                world.parents[parent] = None;
                Some(Bearer::Insert { parent, ids })
            }
            Bearer::Insert { parent, mut ids } => {
                let id = ids.fresh();
                world.bear(parent, id, protocol);
                protocol.closed_at_birth.then(|| Bearer::Bring(Bring::born(parent, ids, id, world)))
            }
            Bearer::Bring(bring) => match bring_on(bring, step, world, protocol) {
                Progress::On(bring) => Some(Bearer::Bring(bring)),
                Progress::Done { .. } => None,
            },
        }
    }
}

//! What writers do before their mark is applied: inserts, updates and deletes. May use `own`, `take_over`, `client`.

use std::collections::BTreeSet;

use crate::{
    client::{At, Way},
    own::Own,
    parent::{Id, Parent},
    protocol::Protocol,
    recover::Recover,
    take_over::TakeOver,
    world::{Change, Child, Late},
};

/// An update or a delete of what matches: of one child, or of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Update {
    pub(crate) change: Change,
    /// Those that match, a bit each.
    pub(crate) matches: u8,
    pub(crate) many: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Write {
    /// Children, each with its parent, under one mark.
    Insert {
        children: Vec<(usize, usize)>,
        mark: Option<Id>,
    },
    Update(Update),
    Prepare {
        of: Update,
        mark: Id,
        child: usize,
    },
    Put {
        of: Update,
        mark: Id,
        child: usize,
        written: bool,
    },
    /// What is left of what matches?
    Next {
        of: Update,
        mark: Id,
        written: bool,
    },
    /// The update takes itself out of every `by`.
    DoneBy {
        mark: Id,
        child: usize,
    },
    DeleteParent(usize),
    InsertParent(usize),
}

impl Update {
    fn is_of(&self, child: usize) -> bool {
        self.matches & 1 << child != 0
    }
}

impl Write {
    pub(crate) fn may_be_lost(&self, protocol: &Protocol) -> bool {
        match self {
            Write::Update(of) | Write::Prepare { of, .. } => of.change != Change::Delete || !protocol.gone_majority,
            _ => false,
        }
    }

    /// Whether its answer may be lost while the server is at work: that of an insert of one child, and of an update.
    pub(crate) fn may_be_late(&self) -> bool {
        matches!(self, Write::Insert { .. } | Write::Put { .. })
    }

    pub(crate) fn step(self, at: &mut At) {
        if matches!(at.way, Way::Late(_)) && at.world.late.is_none() {
            return self.be_late(at);
        }
        match self {
            Write::Insert { mut children, mark } => {
                let mark = mark.unwrap_or_else(|| at.fresh());
                let (child, parent) = children.remove(0);
                at.world.insert(child, parent, mark);
                if children.is_empty() {
                    at.push(Own::new(mark));
                    return;
                }
                at.push(Write::Insert { children, mark: Some(mark) });
                if !at.protocol.writes_first {
                    at.push(Own::early(mark));
                }
            }
            // To begin costs no step of its own.
            Write::Update(of) => {
                let mark = at.fresh();
                Write::Prepare { of, mark, child: 0 }.step(at);
            }
            Write::Prepare { of, mark, child } => {
                if of.is_of(child) {
                    let before = at.is_lost().then(|| at.world.children[child].clone()).flatten();
                    at.world.prepare(child, mark, of.change, at.protocol);
                    if let (Some(mut before), Some(now)) = (before, &mut at.world.children[child]) {
                        before.deleters = now.deleters;
                        *now = before;
                    }
                }
                let next = (child + 1..at.world.children.len()).find(|child| of.is_of(*child));
                at.push(match next {
                    Some(child) => Write::Prepare { of, mark, child },
                    None if of.change == Change::Delete => Write::Next { of, mark, written: true },
                    None => Write::Put { of, mark, child: of.matches.trailing_zeros() as usize, written: false },
                });
            }
            Write::Put { of, mark, child, written } => {
                let written = at.world.write(child, mark, of.change, of.many && at.protocol.by) || written;
                let next = (child + 1..at.world.children.len()).find(|child| of.is_of(*child));
                at.push(match next {
                    Some(child) => Write::Put { of, mark, child, written },
                    None => Write::Next { of, mark, written },
                });
            }
            Write::Next { of, mark, written } => next(of, mark, written, at),
            Write::DoneBy { mark, child } => {
                at.world.done_by(child, mark);
                if child + 1 < at.world.children.len() {
                    at.push(Write::DoneBy { mark, child: child + 1 });
                }
            }
            Write::DeleteParent(parent) => at.world.parents[parent] = None,
            Write::InsertParent(parent) => {
                let new = at.fresh();
                at.world.parents[parent] = Some(Parent { new: Some(new), young: true, ..Parent::EMPTY });
                at.push(Recover::Adopt { parent, new });
            }
        }
    }
}

impl Write {
    /// The server does it later. Without the part `unanswered_stops` the client goes on as if it was done.
    fn be_late(self, at: &mut At) {
        let (late, mark) = match self {
            Write::Insert { mut children, mark } => {
                let mark = mark.unwrap_or_else(|| at.fresh());
                let (child, parent) = children.remove(0);
                (Late::Insert { child, parent, mark }, mark)
            }
            Write::Put { of, mark, child, .. } => {
                (Late::Put { child, mark, change: of.change, many: of.many && at.protocol.by }, mark)
            }
            _ => unreachable!("only these may be late"),
        };
        at.world.late = Some(late);
        if at.protocol.unanswered_stops {
            return at.stop();
        }
        at.push(Own::new(mark));
    }
}

fn next(of: Update, mark: Id, written: bool, at: &mut At) {
    let is_left = |(number, child): (usize, &Option<Child>)| {
        let child = child.as_ref().filter(|child| of.is_of(number) && !child.gone)?;
        let done = match (of.many, at.protocol.by) {
            (true, true) => child.by.contains(&mark),
            (true, false) => child.mark() == Some(mark),
            (false, _) => written && of.change != Change::Delete,
        };
        (!done).then(|| child.mark())
    };
    let left: Vec<Option<Id>> = at.world.children.iter().enumerate().filter_map(is_left).collect();
    if left.is_empty() {
        if of.many && at.protocol.by && of.change != Change::Delete {
            at.push(Write::DoneBy { mark, child: 0 });
        }
        at.push(Own::new(mark));
        return;
    }
    at.push(Write::Prepare { of, mark, child: of.matches.trailing_zeros() as usize });
    let others: BTreeSet<Id> = left.into_iter().flatten().filter(|other| *other != mark).collect();
    for other in others {
        at.push(TakeOver::new(other));
    }
}

//! What is stored, and the commands on children: each function is one command on one child, or a read of some, and atomic.
//! An `updateMany` is one for each of them. May use `parent`, `protocol`.

use std::collections::BTreeSet;

use crate::{
    parent::{Delta, Id, Parent, least},
    protocol::Protocol,
};

/// `_pending_<path>`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Record {
    pub(crate) mark: Id,
    /// What each parent counts; one that is not in it counts nothing.
    pub(crate) at: Vec<(usize, u8)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Child {
    /// The reference.
    pub(crate) parent: usize,
    pub(crate) value: u8,
    pub(crate) record: Option<Record>,
    /// The updates of many that have changed it and are not done.
    pub(crate) by: BTreeSet<Id>,
    pub(crate) gone: bool,
    /// Not stored: the increments that reached it, each as often as it did.
    pub(crate) reached: Vec<Id>,
    /// Not stored: how many clients believe that they delete it.
    pub(crate) deleters: u8,
}

/// What an update does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Change {
    Set(u8),
    Move(usize),
    Increment,
    Delete,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) parents: [Option<Parent>; 2],
    pub(crate) children: Vec<Option<Child>>,
    /// Not stored: what a client has sent whose connection is lost. The server does it later.
    pub(crate) late: Option<Late>,
}

/// A command that the server does later than its client knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Late {
    /// The insert of a child.
    Insert {
        child: usize,
        parent: usize,
        mark: Id,
    },
    /// An update of the child, and of those behind it where it is of many.
    Put {
        child: usize,
        mark: Id,
        change: Change,
        many: bool,
    },
    Apply {
        parent: usize,
        mark: Id,
        deltas: Vec<Delta>,
    },
}

impl Child {
    pub(crate) fn new(parent: usize, value: u8, record: Option<Record>) -> Child {
        Child { parent, value, record, by: BTreeSet::new(), gone: false, reached: vec![], deleters: 0 }
    }

    /// What it says of this parent.
    pub(crate) fn says(&self, parent: usize) -> Option<u8> {
        (self.parent == parent && !self.gone).then_some(self.value)
    }

    pub(crate) fn mark(&self) -> Option<Id> {
        self.record.as_ref().map(|record| record.mark)
    }

    /// What the record says that this parent counts.
    fn at(&self, parent: usize) -> Option<u8> {
        self.record.iter().flat_map(|record| &record.at).find(|(of, _)| *of == parent).map(|(_, has)| *has)
    }

    /// What this parent counts: the invariant.
    pub(crate) fn counted(&self, parent: usize, applied: &BTreeSet<Id>) -> Option<u8> {
        match self.mark() {
            Some(mark) if !applied.contains(&mark) => self.at(parent),
            _ => self.says(parent),
        }
    }

    /// Whether its record, if it bears one, or its reference has to do with this parent.
    pub(crate) fn concerns(&self, parent: usize) -> bool {
        self.parent == parent || self.at(parent).is_some()
    }

    fn now(&self) -> Vec<(usize, u8)> {
        if self.gone { vec![] } else { vec![(self.parent, self.value)] }
    }
}

impl World {
    /// Both parents, and the children given by their parents, counted.
    pub(crate) fn new(children: &[Option<usize>]) -> World {
        let mut parents = [Some(Parent::EMPTY), Some(Parent::EMPTY)];
        let mut all = Vec::new();
        for (number, parent) in children.iter().enumerate() {
            let value = World::first_value(number);
            all.push(parent.map(|parent| Child::new(parent, value, None)));
            if let Some(of) = parent.and_then(|parent| parents[parent].as_mut()) {
                of.sum += value as i8;
                of.min = least(of.min, Some(value));
            }
        }
        World { parents, children: all, late: None }
    }

    /// The server does what was sent, or one child of it.
    pub(crate) fn land(&mut self, protocol: &Protocol) {
        match self.late.take() {
            Some(Late::Insert { child, parent, mark }) => self.insert(child, parent, mark),
            Some(Late::Put { child, mark, change, many }) => {
                self.write(child, mark, change, many);
                if many && child + 1 < self.children.len() {
                    self.late = Some(Late::Put { child: child + 1, mark, change, many });
                }
            }
            Some(Late::Apply { parent, mark, deltas }) => {
                if let Some(of) = &mut self.parents[parent] {
                    of.apply(mark, &deltas, protocol);
                }
            }
            None => {}
        }
    }

    pub(crate) fn first_value(child: usize) -> u8 {
        child as u8 + 2
    }

    /// `insertOne(child)`, with its record.
    pub(crate) fn insert(&mut self, child: usize, parent: usize, mark: Id) {
        let of = &mut self.children[child];
        if of.is_none() {
            *of = Some(Child::new(parent, World::first_value(child), Some(Record { mark, at: vec![] })));
        }
    }

    /// One child of `updateMany(children that match and bear no record, the record)`; a delete's says that it is gone.
    pub(crate) fn prepare(&mut self, child: usize, mark: Id, change: Change, protocol: &Protocol) -> bool {
        let Some(of) = self.children[child].as_mut().filter(|of| !of.gone && !of.by.contains(&mark)) else {
            return false;
        };
        if of.mark().is_some_and(|other| protocol.take_over || other == mark) {
            return false;
        }
        of.record = Some(Record { mark, at: of.now() });
        of.gone = change == Change::Delete;
        of.deleters += u8::from(of.gone);
        true
    }

    /// One child of `updateMany(children with this mark, the update)`: whether it matched.
    pub(crate) fn write(&mut self, child: usize, mark: Id, change: Change, many: bool) -> bool {
        let Some(of) = self.children[child].as_mut().filter(|of| of.mark() == Some(mark) && !of.by.contains(&mark))
        else {
            return false;
        };
        match change {
            Change::Set(value) => of.value = value,
            Change::Move(to) => of.parent = to,
            Change::Increment => {
                of.value += 4;
                of.reached.push(mark);
                of.reached.sort();
            }
            Change::Delete => {}
        }
        if many {
            of.by.insert(mark);
        }
        true
    }

    /// `aggregate(children with this mark, what each parent has and what they say now)`, and how many they are.
    pub(crate) fn deltas(&self, mark: Id) -> (Vec<(usize, Vec<Delta>)>, u8) {
        let of_mark = || self.children.iter().flatten().filter(|of| of.mark() == Some(mark));
        let deltas = |parent| {
            let all = of_mark().map(|of| Delta { has: of.at(parent), now: of.says(parent) });
            let some: Vec<Delta> = all.filter(|delta| delta.has.is_some() || delta.now.is_some()).collect();
            (parent, some)
        };
        let some = (0..2).map(deltas).filter(|(_, deltas)| !deltas.is_empty()).collect();
        (some, of_mark().count() as u8)
    }

    /// One child of `updateMany(children with this mark, unset the record)` and `deleteMany(those that are gone)`: whether it matched.
    pub(crate) fn clear(&mut self, child: usize, mark: Id, protocol: &Protocol) -> bool {
        let Some(of) = self.children[child].as_mut() else { return false };
        if of.record.is_none() || of.mark() != Some(mark) && protocol.clear_own {
            return false;
        }
        of.record = None;
        if !protocol.by_outlives {
            of.by.clear();
        }
        if of.gone {
            self.children[child] = None;
        }
        true
    }

    /// One child of `updateMany(children with this update, out of by)`.
    pub(crate) fn done_by(&mut self, child: usize, mark: Id) {
        if let Some(of) = &mut self.children[child] {
            of.by.remove(&mark);
        }
    }

    /// `find(children with this mark)`: the parents concerned, a bit each; of none, nothing.
    pub(crate) fn concerned(&self, mark: Id) -> Option<u8> {
        let of_mark = self.children.iter().flatten().filter(|of| of.mark() == Some(mark));
        of_mark
            .map(|of| (0..2).filter(|parent| of.concerns(*parent)).fold(0, |all, parent| all | 1 << parent))
            .reduce(|all, of| all | of)
    }

    /// One child of `updateMany(children with this mark and of these parents, the record of another mark)`.
    pub(crate) fn replace(&mut self, child: usize, mark: Id, mine: Id, parents: u8, applied: u8, protocol: &Protocol) {
        let read = |parent: usize| parents & 1 << parent != 0;
        let Some(of) = self.children[child].as_mut().filter(|of| of.mark() == Some(mark)) else { return };
        let named = (0..2).all(|parent| of.at(parent).is_none() || read(parent));
        if !read(of.parent) && protocol.pin_reference || !named && protocol.pin_at {
            return;
        }
        let has = |parent: usize| if applied & 1 << parent != 0 { of.says(parent) } else { of.at(parent) };
        let at = (0..2).filter_map(|parent| has(parent).map(|has| (parent, has))).collect();
        of.record = Some(Record { mark: mine, at });
    }

    /// `find(children that match)`: the marks that they bear, each once.
    pub(crate) fn marks(&self, matches: impl Fn(&Child) -> bool) -> BTreeSet<Id> {
        self.children.iter().flatten().filter(|of| matches(of)).filter_map(Child::mark).collect()
    }

    /// The first child, from this one on, that bears the mark.
    pub(crate) fn bearer(&self, mark: Id, from: usize) -> Option<usize> {
        (from..self.children.len())
            .find(|child| self.children[*child].as_ref().is_some_and(|of| of.mark() == Some(mark)))
    }

    /// The first parent, from this one on, that has applied the mark, or also one that has revoked it.
    pub(crate) fn knower(&self, mark: Id, revoked_too: bool, from: usize) -> Option<usize> {
        (from..2).find(|parent| self.parents[*parent].as_ref().is_some_and(|of| of.knows(mark, revoked_too)))
    }

    pub(crate) fn is_borne(&self, mark: Id) -> bool {
        self.children.iter().flatten().any(|of| of.mark() == Some(mark))
    }

    /// `find(children that match)`: the least of what this parent counts of them.
    pub(crate) fn least(&self, parent: usize, applied: &BTreeSet<Id>, matches: impl Fn(&Child) -> bool) -> Option<u8> {
        self.children.iter().flatten().filter(|of| matches(of)).filter_map(|of| of.counted(parent, applied)).min()
    }

    /// The sum of what this parent counts.
    pub(crate) fn counted(&self, parent: usize, applied: &BTreeSet<Id>) -> i8 {
        self.children.iter().flatten().filter_map(|of| of.counted(parent, applied)).map(|value| value as i8).sum()
    }

    /// Each parent has what the invariant says, but one that is new, or young: see `recheck`.
    pub(crate) fn is_as_the_invariant_says(&self) -> bool {
        self.parents.iter().enumerate().all(|(number, parent)| {
            parent.as_ref().is_none_or(|of| {
                let min_is_right = of.stale || of.min == self.least(number, &of.applied, |_| true);
                of.new.is_some() || of.young || of.sum == self.counted(number, &of.applied) && min_is_right
            })
        })
    }

    /// Each parent has what its children say.
    pub(crate) fn is_right(&self) -> bool {
        self.parents.iter().enumerate().all(|(number, parent)| {
            parent.as_ref().is_none_or(|of| {
                let says = || self.children.iter().flatten().filter_map(|child| child.says(number));
                of.sum == says().map(|value| value as i8).sum::<i8>() && of.min == says().min()
            })
        })
    }

    /// Nothing of the protocol is left, but perhaps marks that are revoked.
    pub(crate) fn is_clean(&self, of_revoked_too: bool) -> bool {
        self.parents.iter().flatten().all(|of| of.is_clean(of_revoked_too))
            && self.children.iter().flatten().all(|of| of.record.is_none() && of.by.is_empty() && !of.gone)
    }
}

//! What is stored, and the commands of the server: each function is one command on one document, and atomic. An `updateMany`
//! or a read of many children is one for each of them. May use `protocol`.

use crate::protocol::Protocol;

/// An `ObjectId` made by a client, a mark or an epoch: whose it is, and which of that client's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Id {
    pub(crate) of: usize,
    pub(crate) number: u8,
}

/// The ids that a client makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ids {
    pub(crate) of: usize,
    next: u8,
}

impl Ids {
    pub(crate) fn new(of: usize) -> Ids {
        Ids { of, next: 0 }
    }

    pub(crate) fn fresh(&mut self) -> Id {
        self.next += 1;
        Id { of: self.of, number: self.next }
    }
}

/// What a parent keeps of its children: a count, a sum, the least value, and a subset of one, the child of the largest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rollup {
    count: u8,
    sum: u8,
    least: Option<u8>,
    top: Option<(u8, usize)>,
}

impl Rollup {
    pub(crate) const EMPTY: Rollup = Rollup { count: 0, sum: 0, least: None, top: None };

    pub(crate) fn add(&mut self, child: usize, value: u8) {
        self.count += 1;
        self.sum += value;
        self.least = Some(self.least.map_or(value, |least| least.min(value)));
        self.top = self.top.max(Some((value, child)));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Parent {
    pub(crate) rollup: Rollup,
    /// `_rollup.<path>`: absent until the first recompute.
    pub(crate) epoch: Option<Id>,
    /// `_recompute.<path>`
    pub(crate) closed: Option<Id>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Child {
    /// The reference.
    pub(crate) parent: usize,
    pub(crate) value: u8,
    /// `_pending.<path>`
    pub(crate) mark: Option<Id>,
    /// `_left.<path>`: the parents it was moved away from, each with the mark of the move.
    pub(crate) left: Vec<(usize, Id)>,
    /// `_gone`
    pub(crate) gone: bool,
}

/// How a parent is, to one who wants to add to it or to recompute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Door {
    Open(Option<Id>),
    Closed,
    NoParent,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) parents: [Option<Parent>; 2],
    pub(crate) children: Vec<Option<Child>>,
    /// The clients that are at work, a bit each. A wait for one that is not ends.
    pub(crate) alive: u8,
    /// How many waits for one that is at work may end too early.
    pub(crate) hasty: u8,
}

impl World {
    /// Both parents, and the children given by their parents, counted.
    pub(crate) fn new(children: &[Option<usize>], clients: usize, hasty: u8) -> World {
        let mut world = World {
            parents: [Some(Parent { rollup: Rollup::EMPTY, epoch: None, closed: None }); 2],
            children: Vec::new(),
            alive: (1 << clients) - 1,
            hasty,
        };
        for (number, parent) in children.iter().enumerate() {
            world.children.push(parent.map(|parent| Child {
                parent,
                value: World::first_value(number),
                mark: None,
                left: vec![],
                gone: false,
            }));
            if let Some(of) = parent.and_then(|parent| world.parents[parent].as_mut()) {
                of.rollup.add(number, World::first_value(number));
            }
        }
        world
    }

    pub(crate) fn first_value(child: usize) -> u8 {
        child as u8 + 1
    }

    /// `find(parent)`.
    pub(crate) fn door(&self, parent: usize) -> Door {
        match &self.parents[parent] {
            None => Door::NoParent,
            Some(Parent { closed: Some(_), .. }) => Door::Closed,
            Some(of) => Door::Open(of.epoch),
        }
    }

    /// Whether a wait for the one who keeps this parent closed has an end.
    pub(crate) fn can_be_taken_over(&self, parent: usize) -> bool {
        self.closer(parent).is_some_and(|by| self.hasty > 0 || !self.is_alive(by))
    }

    fn closer(&self, parent: usize) -> Option<Id> {
        self.parents[parent].and_then(|parent| parent.closed)
    }

    fn is_alive(&self, id: Id) -> bool {
        self.alive & 1 << id.of != 0
    }

    /// `insertOne(child)`, with its mark.
    pub(crate) fn insert(&mut self, child: usize, parent: usize, mark: Id, protocol: &Protocol) {
        let (value, mark) = (World::first_value(child), protocol.mark_of_insert.then_some(mark));
        self.children[child] = Some(Child { parent, value, mark, left: vec![], gone: false });
    }

    /// `updateOne(parent of this epoch and open, what the child adds)`: whether it matched.
    pub(crate) fn add(&mut self, parent: usize, epoch: Option<Id>, child: usize, protocol: &Protocol) -> bool {
        let Some(of) = &mut self.parents[parent] else { return false };
        let matches = of.closed.is_none() && (of.epoch == epoch || !protocol.epoch);
        if matches {
            of.rollup.add(child, World::first_value(child));
        }
        matches
    }

    /// `updateOne(child, value and mark)`: the parent it is of.
    pub(crate) fn change(&mut self, child: usize, value: u8, mark: Id, protocol: &Protocol) -> Option<usize> {
        let of = self.children[child].as_mut()?;
        of.value = value;
        of.mark = protocol.mark_of_change.then_some(mark).or(of.mark);
        Some(of.parent)
    }

    /// `updateOne(child of this parent, reference, mark and the parent left)`: whether it matched.
    pub(crate) fn reassign(&mut self, child: usize, from: usize, to: usize, mark: Id, protocol: &Protocol) -> bool {
        let Some(of) = self.children[child].as_mut().filter(|of| of.parent == from) else { return false };
        of.parent = to;
        of.mark = Some(mark);
        if protocol.left {
            of.left.push((from, mark));
        }
        true
    }

    /// `updateOne(child, take the parent left out again)`.
    pub(crate) fn pull(&mut self, child: usize, left: (usize, Id), protocol: &Protocol) {
        let Some(of) = &mut self.children[child] else { return };
        of.left.retain(|entry| if protocol.own_left { *entry != left } else { entry.0 != left.0 });
    }

    /// `findOneAndUpdate(child that is not gone, mark and gone)`: as it is now, if it matched.
    pub(crate) fn mark_gone(&mut self, child: usize, mark: Id) -> Option<Child> {
        let of = self.children[child].as_mut().filter(|of| !of.gone)?;
        (of.gone, of.mark) = (true, Some(mark));
        Some(of.clone())
    }

    /// `deleteOne(child of this parent, gone, that no parent has)`: whether it is done, by this or before.
    pub(crate) fn delete(&mut self, child: usize, parent: usize, epoch: Option<Id>, protocol: &Protocol) -> bool {
        let Some(of) = &self.children[child] else { return true };
        let uncounted = of.mark.is_none() || of.mark == epoch;
        let matches = of.gone && of.parent == parent && of.left.is_empty() && uncounted;
        if matches || !protocol.delete_uncounted_only {
            self.children[child] = None;
            return true;
        }
        false
    }

    /// `updateMany(children with a mark of this client, unset the mark)`, of one child.
    pub(crate) fn clear(&mut self, child: usize, mark: Option<Id>, protocol: &Protocol) {
        let Some(of) = &mut self.children[child] else { return };
        if of.mark == mark || !protocol.clear_own_mark {
            of.mark = None;
        }
    }

    /// `find(children of this parent with a mark of this client)`: whether there is one.
    pub(crate) fn has_mark_of(&self, client: usize, parent: usize) -> bool {
        self.children.iter().flatten().any(|of| of.parent == parent && of.mark.is_some_and(|mark| mark.of == client))
    }

    /// `findOneAndUpdate(parent that is open, epoch and closed)`: how it was.
    pub(crate) fn close(&mut self, parent: usize, id: Id) -> Door {
        let door = self.door(parent);
        if let (Door::Open(_), Some(of)) = (door, &mut self.parents[parent]) {
            (of.epoch, of.closed) = (Some(id), Some(id));
        }
        door
    }

    /// `findOneAndUpdate(parent that is closed by this one, epoch and closed)`.
    pub(crate) fn take_over(&mut self, parent: usize, id: Id) {
        if self.closer(parent).is_some_and(|by| self.is_alive(by)) {
            self.hasty -= 1;
        }
        if let Some(of) = &mut self.parents[parent] {
            (of.epoch, of.closed) = (Some(id), Some(id));
        }
    }

    /// One child of `updateMany(children of this parent with a mark, this mark)`.
    pub(crate) fn claim(&mut self, child: usize, parent: usize, id: Id) {
        if let Some(of) = self.children[child].as_mut().filter(|of| of.parent == parent && of.mark.is_some()) {
            of.mark = Some(id);
        }
    }

    /// One child of the read of all that are to be counted.
    pub(crate) fn counted(&self, child: usize, parent: usize, id: Id, protocol: &Protocol) -> Option<u8> {
        let of = self.children[child].as_ref().filter(|of| of.parent == parent && !of.gone)?;
        let claimed = of.mark.is_none_or(|mark| mark == id) || !protocol.claimed_only;
        claimed.then_some(of.value)
    }

    /// `updateOne(parent that is closed by this one, the values, open)`: whether it matched.
    pub(crate) fn write(&mut self, parent: usize, id: Id, rollup: Rollup, protocol: &Protocol) -> bool {
        let Some(of) = &mut self.parents[parent] else { return false };
        let matches = of.closed == Some(id) || !protocol.write_own;
        if matches {
            (of.rollup, of.closed) = (rollup, None);
        }
        matches
    }

    /// `insertOne(parent)`, closed.
    pub(crate) fn bear(&mut self, parent: usize, id: Id, protocol: &Protocol) {
        let id = protocol.closed_at_birth.then_some(id);
        self.parents[parent] = Some(Parent { rollup: Rollup::EMPTY, epoch: id, closed: id });
    }

    /// What the children say that this parent has.
    fn truth(&self, parent: usize) -> Rollup {
        let mut rollup = Rollup::EMPTY;
        for (number, of) in self.children.iter().enumerate() {
            if let Some(of) = of.as_ref().filter(|of| of.parent == parent && !of.gone) {
                rollup.add(number, of.value);
            }
        }
        rollup
    }

    fn is_right(&self, parent: usize) -> bool {
        self.parents[parent].is_none_or(|of| of.rollup == self.truth(parent))
    }

    fn is_marked(&self, parent: usize) -> bool {
        self.closer(parent).is_some()
            || self
                .children
                .iter()
                .flatten()
                .any(|of| of.parent == parent && of.mark.is_some() || of.left.iter().any(|(left, _)| *left == parent))
    }

    pub(crate) fn in_sync(&self) -> bool {
        (0..2).all(|parent| self.is_right(parent))
    }

    pub(crate) fn is_marked_or_right(&self) -> bool {
        (0..2).all(|parent| self.is_marked(parent) || self.is_right(parent))
    }

    pub(crate) fn has_no_mark(&self) -> bool {
        (0..2).all(|parent| !self.is_marked(parent)) && self.children.iter().flatten().all(|of| !of.gone)
    }
}

//! What clients were answered. Not stored: what is promised is said of it. May use `world`.

use crate::world::{Id, World};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct History {
    /// The children with an insert that has begun, a bit each.
    begun: u8,
    /// Those with one that is done, for all that its client knows.
    inserted: u8,
    /// Those with one that the server has acknowledged.
    acknowledged: u8,
    /// Those that migrate: their order is promised among themselves only, if others insert meanwhile.
    migrating: u8,
    /// For each child, the others that were inserted when its first insert began.
    before: [u8; 8],
    /// How many deletes of each child have begun.
    deletes: [u8; 8],
    /// The children whose delete was answered.
    deleted: u8,
    /// The value that was set last, of those that were answered.
    values: [u8; 8],
    /// An answer was wrong.
    pub(crate) wrong: bool,
    /// A child was missed by a reader, or read twice.
    pub(crate) misread: bool,
}

impl History {
    /// What is there at the start was inserted one after the other: what migrates, and what is in buckets.
    pub(crate) fn new(world: &World) -> History {
        let mut history = History::default();
        for child in &world.linked {
            history.begins_insert(child.id);
            history.was_inserted(child.id);
        }
        history.migrating = history.inserted;
        for child in world.in_buckets() {
            history.begins_insert(child.id);
            history.was_inserted(child.id);
        }
        history
    }

    pub(crate) fn begins_insert(&mut self, id: Id) {
        if self.begun & 1 << id == 0 {
            self.before[usize::from(id)] = self.inserted & !self.migrating;
        }
        self.begun |= 1 << id;
    }

    /// It is a document of its own.
    pub(crate) fn migrates(&mut self, id: Id) {
        self.migrating |= 1 << id;
    }

    /// One client at most is answered that it has inserted a child.
    pub(crate) fn was_inserted(&mut self, id: Id) {
        self.wrong |= self.acknowledged & 1 << id != 0;
        self.acknowledged |= 1 << id;
        self.inserted |= 1 << id;
    }

    /// A client whose push was not answered has found the child there.
    pub(crate) fn was_found(&mut self, id: Id) {
        self.inserted |= 1 << id;
    }

    /// Whether an answer that it is not there would be wrong, if nobody deletes it.
    pub(crate) fn begins_change(&mut self, id: Id, is_delete: bool) -> bool {
        self.deletes[usize::from(id)] += u8::from(is_delete);
        self.inserted & 1 << id != 0
    }

    pub(crate) fn was_changed(&mut self, id: Id, to: Option<u8>) {
        match to {
            Some(value) => self.values[usize::from(id)] = value,
            None => self.deleted |= 1 << id,
        }
    }

    pub(crate) fn was_not_there(&mut self, id: Id, is_delete: bool) {
        self.wrong |= self.deletes[usize::from(id)] == u8::from(is_delete);
    }

    /// What was inserted and not deleted is there, with the value that was set.
    pub(crate) fn none_is_lost(&self, world: &World) -> bool {
        let children = world.children();
        let is_there = |id: usize| {
            let of = children.iter().find(|child| usize::from(child.id) == id);
            of.is_some_and(|of| self.values[id] == 0 || of.value == self.values[id])
        };
        (0..8).filter(|id| self.inserted & 1 << id != 0 && self.deletes[*id] == 0).all(is_there)
    }

    pub(crate) fn none_is_back(&self, world: &World) -> bool {
        world.children().iter().all(|child| self.deleted & 1 << child.id == 0)
    }

    /// A child that was there before the insert of another began, and comes first by the order, is read first.
    pub(crate) fn is_in_order(&self, world: &World) -> bool {
        let read: Vec<Id> = world.in_buckets().map(|child| child.id).collect();
        let is_late = |later: &Id, id: &Id| *later < *id && self.before[usize::from(*id)] & 1 << later != 0;
        read.iter().enumerate().all(|(place, id)| !read[place..].iter().any(|later| is_late(later, id)))
    }
}

//! The answers to the clients. The history is not stored: the promises of the protocol refer to the answers. May use
//! `world`.

use crate::world::{Id, World};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct History {
    /// The children with an insert that has begun, a bit for each child.
    begun: u8,
    /// The children with an insert that is done, as far as the client knows.
    inserted: u8,
    /// The children with an insert that the server has acknowledged.
    acknowledged: u8,
    /// The children that migrate: when other clients insert meanwhile, the order is promised only among the migrating
    /// children.
    migrating: u8,
    /// For each child, the children that were inserted before the first insert of the child began.
    before: [u8; 8],
    /// The number of begun deletes of each child.
    deletes: [u8; 8],
    /// The children with an answered delete.
    deleted: u8,
    /// The last value set by an answered update, for each child.
    values: [u8; 8],
    /// An answer was wrong.
    pub(crate) wrong: bool,
    /// A child was missed by a reader, or read twice.
    pub(crate) misread: bool,
}

impl History {
    /// Makes the history of the start: the stored children were inserted one after the other, first the children that
    /// migrate, then the children in buckets.
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

    /// Notes a child that is a linked document.
    pub(crate) fn migrates(&mut self, id: Id) {
        self.migrating |= 1 << id;
    }

    /// Notes the answer to an insert: the server tells at most one client that the client has inserted a child.
    pub(crate) fn was_inserted(&mut self, id: Id) {
        self.wrong |= self.acknowledged & 1 << id != 0;
        self.acknowledged |= 1 << id;
        self.inserted |= 1 << id;
    }

    /// Notes that a client without an answer to a push has found the child.
    pub(crate) fn was_found(&mut self, id: Id) {
        self.inserted |= 1 << id;
    }

    /// Notes the begin of a change. Returns whether the answer "not there" would be wrong, if nobody deletes the child.
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

    /// Returns whether every child that was inserted and not deleted is stored, with the last set value.
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

    /// Returns whether the reading order is right: a child that was stored before the insert of a second child began,
    /// and that comes first by the order, is read first.
    pub(crate) fn is_in_order(&self, world: &World) -> bool {
        let read: Vec<Id> = world.in_buckets().map(|child| child.id).collect();
        let is_late = |later: &Id, id: &Id| *later < *id && self.before[usize::from(*id)] & 1 << later != 0;
        read.iter().enumerate().all(|(place, id)| !read[place..].iter().any(|later| is_late(later, id)))
    }
}

//! A client: each step is one command. May use all but `model`.

use crate::{
    delete::Delete,
    insert::{Insert, Together},
    protocol::Protocol,
    recover::Recover,
    world::{Id, World},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    Insert(Insert),
    Together(Together),
    Delete(Delete),
    Recover(Recover),
    /// Deletes a child, by a client that has nothing to do with the parent.
    DeletePlainly(usize),
    /// Inserts the parent, after the parent is gone.
    InsertParent,
    Done,
}

impl Client {
    pub(crate) fn may_step(&self, world: &World) -> bool {
        match self {
            Client::InsertParent => world.parent.is_none(),
            Client::Done => false,
            _ => true,
        }
    }

    /// Returns whether the client is done, or has not begun and cannot begin.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self, Client::Done | Client::InsertParent)
    }

    pub(crate) fn step(self, me: usize, world: &mut World, protocol: &Protocol) -> Client {
        let by = Id { of: me as u8, number: 0 };
        let next = match self {
            Client::Insert(of) => of.step(by, world, protocol).map(Client::Insert),
            Client::Delete(of) => of.step(me, world, protocol).map(Client::Delete),
            Client::Recover(of) => of.step(me, world, protocol).map(Client::Recover),
            Client::Together(of) => {
                of.step(by, world, protocol);
                None
            }
            Client::DeletePlainly(place) => {
                world.delete_plainly(place);
                None
            }
            Client::InsertParent => {
                world.insert_parent();
                None
            }
            Client::Done => None,
        };
        next.unwrap_or(Client::Done)
    }
}

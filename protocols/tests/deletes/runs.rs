//! The runs: the groups of clients that meet. The runs have a single parent; children are H and K, each of a relation
//! with a rule. May use everything.

mod converges;
mod needed;

use schema_protocols::Explore;

use crate::{
    client::Client,
    delete::Delete,
    insert::{Insert, Together},
    model::Deletes,
    protocol::{CHOSEN, Protocol, Take},
    recover::Recover,
    world::{
        Place,
        Rule::{self, Cascade, Nullify, Restrict},
        World,
    },
};

const H: usize = 0;
const K: usize = 1;

fn inserter(child: usize) -> Client {
    Client::Insert(Insert::new(child))
}

fn inserter_in_transaction(child: usize) -> Client {
    Client::Together(Together::Insert { place: child })
}

/// Makes a child refer to the parent.
fn updater(child: usize) -> Client {
    Client::Together(Together::Update { place: child })
}

fn deleter() -> Client {
    Client::Delete(Delete::alone())
}

fn deleter_in_transaction() -> Client {
    Client::Delete(Delete::in_transaction())
}

/// Makes a recover that runs beside the clients. A last recover, alone, ends every run.
fn recover() -> Client {
    Client::Recover(Recover::new())
}

/// Deletes a child, and has nothing to do with the parent.
fn plain_deleter(child: usize) -> Client {
    Client::DeletePlainly(child)
}

/// Inserts the parent again after the parent is gone, under the same `_id`.
fn parent_again() -> Client {
    Client::InsertParent
}

fn run(protocol: Protocol, children: &[Place], clients: &[Client]) -> Deletes {
    Deletes { protocol, world: World::new(children), clients: clients.to_vec() }
}

fn chosen(children: &[Place], clients: &[Client]) -> Deletes {
    run(CHOSEN, children, clients)
}

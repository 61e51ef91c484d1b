//! The runs: the groups of actors that meet. Sources are A and B, holders H and K. May use everything.

mod array;
mod bulk;
mod cheaper;
mod converges;
mod deploy;
mod intent;
mod needed;

use schema_protocols::Explore;

use crate::{
    actors::{Deleter, Inserter, Reassigner, TransactionWriter, Writer},
    model::{Actor, Copies},
    protocol::{CHOSEN, Protocol},
    recover::Recover,
    world::{Field, NO_VERSION},
};

const A: usize = 0;
const B: usize = 1;
const H: usize = 0;
const K: usize = 1;

fn writer(source: usize) -> Actor {
    Actor::Writer(Writer::Write { source, field: Field::Name })
}

fn writer_of_city(source: usize) -> Actor {
    Actor::Writer(Writer::Write { source, field: Field::City })
}

fn transaction_writer(source: usize) -> Actor {
    Actor::TransactionWriter(TransactionWriter::Begin { source })
}

fn inserter(holder: usize, source: usize) -> Actor {
    Actor::Inserter(Inserter::Read { holder, source })
}

/// Moves a holder to this source.
fn reassigner(holder: usize, source: usize) -> Actor {
    Actor::Reassigner(Reassigner::Read { holder, source })
}

fn deleter(source: usize) -> Actor {
    Actor::Deleter(Deleter::Delete { source, version: NO_VERSION })
}

/// Makes a deleter with an insert whose version the server made before the delete.
fn stamping_deleter(source: usize) -> Actor {
    Actor::Deleter(Deleter::Stamp { source })
}

/// Makes a recover that runs beside the actors and may crash as the actors may. A last recover, alone, ends every run.
fn recover() -> Actor {
    Actor::Recover(Recover::START)
}

/// H is stored and refers to A; K is not inserted yet.
fn one_holder(protocol: Protocol, crashes: u8, actors: impl Into<Vec<Actor>>) -> Copies {
    Copies { protocol, holders: [Some(A), None], actors: actors.into(), crashes, end_of_time: 1 }
}

/// H and K are stored and refer to A.
fn two_holders(protocol: Protocol, crashes: u8, actors: impl Into<Vec<Actor>>) -> Copies {
    Copies { holders: [Some(A), Some(A)], ..one_holder(protocol, crashes, actors) }
}

fn chosen(crashes: u8, actors: impl Into<Vec<Actor>>) -> Copies {
    one_holder(CHOSEN, crashes, actors)
}

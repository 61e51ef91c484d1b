//! The runs: which actors meet. Parents are A and B, children H, K and M. May use everything.

mod converges;
mod needed;

use schema_protocols::Explore;

use crate::{
    actors::{Bearer, Changer, Deleter, Inserter, Mover},
    model::{Actor, Rollups},
    protocol::{CHOSEN, Protocol},
    recover::Recover,
    world::Ids,
};

const A: usize = 0;
const B: usize = 1;
const H: usize = 0;
const K: usize = 1;
const M: usize = 2;

fn inserter(child: usize, parent: usize) -> impl Fn(Ids) -> Actor {
    move |ids| Actor::Inserter(Inserter::Read { child, parent, ids })
}

fn changer(child: usize) -> impl Fn(Ids) -> Actor {
    move |ids| Actor::Changer(Changer::Change { child, value: 7, ids })
}

/// Moves a child to this parent.
fn mover(child: usize, to: usize) -> impl Fn(Ids) -> Actor {
    move |ids| Actor::Mover(Mover::Read { child, to, ids })
}

fn deleter(child: usize) -> impl Fn(Ids) -> Actor {
    move |ids| Actor::Deleter(Deleter::Mark { child, ids })
}

fn bearer(parent: usize) -> impl Fn(Ids) -> Actor {
    move |ids| Actor::Bearer(Bearer::Delete { parent, ids })
}

/// A recover that runs beside the others and may crash as they may. A last one, alone, ends every run.
fn recover() -> impl Fn(Ids) -> Actor {
    |ids| Actor::Recover(Recover::start(ids))
}

/// H is there and of A, the others are not.
fn run(protocol: Protocol, crashes: u8, children: usize, actors: &[&dyn Fn(Ids) -> Actor]) -> Rollups {
    let actors = actors.iter().enumerate().map(|(number, actor)| actor(Ids::new(number))).collect();
    let children = (0..children).map(|child| (child == H).then_some(A)).collect();
    Rollups { protocol, children, actors, crashes, hasty: 0 }
}

fn chosen(crashes: u8, children: usize, actors: &[&dyn Fn(Ids) -> Actor]) -> Rollups {
    run(CHOSEN, crashes, children, actors)
}

/// One wait for a client that is at work may end too early.
fn hasty(run: Rollups) -> Rollups {
    Rollups { hasty: 1, ..run }
}

//! The runs: which clients meet. Parents are A and B, children H, K and M. May use everything.

mod converges;
mod needed;

use schema_protocols::Explore;

use crate::{
    client::{Client, Faults, Task},
    model::{Left, Rollups},
    protocol::{CHOSEN, Protocol},
    recover::Recover,
    world::{Change, World},
    write::{Update, Write},
};

const A: usize = 0;
const B: usize = 1;
const H: usize = 0;
const K: usize = 1;
const M: usize = 2;

/// The tasks of a client, the first one last.
type Tasks = Vec<Task>;

fn inserter(children: &[(usize, usize)]) -> Tasks {
    vec![Write::Insert { children: children.to_vec(), mark: None }.into()]
}

fn update(children: &[usize], change: Change, many: bool) -> Tasks {
    let matches = children.iter().fold(0, |all, child| all | 1 << child);
    vec![Write::Update(Update { change, matches, many }).into()]
}

fn changer(child: usize, value: u8) -> Tasks {
    update(&[child], Change::Set(value), false)
}

fn mover(child: usize, to: usize) -> Tasks {
    update(&[child], Change::Move(to), false)
}

fn deleter(child: usize) -> Tasks {
    update(&[child], Change::Delete, false)
}

fn delete_many(children: &[usize]) -> Tasks {
    update(children, Change::Delete, true)
}

fn move_many(children: &[usize], to: usize) -> Tasks {
    update(children, Change::Move(to), true)
}

fn incrementer(children: &[usize]) -> Tasks {
    update(children, Change::Increment, true)
}

fn recompute(parent: usize) -> Tasks {
    vec![Recover::Recompute { parent }.into()]
}

/// Inserts a parent that was there once.
fn parent_inserter(parent: usize) -> Tasks {
    vec![Write::InsertParent(parent).into()]
}

/// Deletes a parent and inserts it again under the same `_id`.
fn parent_again(parent: usize) -> Tasks {
    vec![Write::InsertParent(parent).into(), Write::DeleteParent(parent).into()]
}

/// A recover that runs beside the others. A last one, alone, ends every run, and one an hour later.
fn recover() -> Tasks {
    vec![Recover::Records { late: false }.into()]
}

/// The children are given by their parents.
fn run(protocol: Protocol, children: &[Option<usize>], clients: &[Tasks]) -> Rollups {
    let is_incrementer =
        |tasks: &Tasks| matches!(tasks[..], [Task::Write(Write::Update(Update { change: Change::Increment, .. }))]);
    let incrementers = clients
        .iter()
        .enumerate()
        .filter(|(_, tasks)| is_incrementer(tasks))
        .fold(0, |all, (number, _)| all | 1 << number);
    let clients = clients.iter().enumerate().map(|(number, tasks)| Client::new(number, tasks.clone(), 2)).collect();
    let world = World::new(children);
    Rollups { protocol, world, clients, faults: Faults::None, right: true, left: Left::Revoked, incrementers }
}

fn chosen(children: &[Option<usize>], clients: &[Tasks]) -> Rollups {
    run(CHOSEN, children, clients)
}

/// This parent is not there at the start.
fn missing(mut run: Rollups, parent: usize) -> Rollups {
    run.world.parents[parent] = None;
    run
}

/// This parent has less than its children say, and a minimum that none of them says.
fn wrong(mut run: Rollups, parent: usize) -> Rollups {
    if let Some(of) = &mut run.world.parents[parent] {
        (of.sum, of.min) = (of.sum - 1, Some(1));
    }
    run.right = false;
    run
}

fn failover(run: Rollups) -> Rollups {
    Rollups { faults: Faults::Failover, left: Left::Marks, ..run }
}

/// One command is done later than its client knows.
fn late(run: Rollups) -> Rollups {
    Rollups { faults: Faults::Late, ..run }
}

fn leaves_nothing(run: Rollups) -> Rollups {
    Rollups { left: Left::Nothing, ..run }
}

/// How often each client may take over before it stops.
fn takes(mut run: Rollups, each: &[u8]) -> Rollups {
    run.clients.iter_mut().zip(each).for_each(|(client, takes)| client.takes = *takes);
    run
}

/// Once at most.
fn once(run: Rollups) -> Rollups {
    takes(run, &[1; 3])
}

//! The runs: the groups of clients that meet. Parents are A and B, children H, K and M. May use everything.

mod any;
mod converges;
mod needed;

use schema_protocols::Explore;

use crate::{
    client::Client,
    model::Rollups,
    operation::{Group, Member, Task, Write},
    protocol::{CHOSEN, Protocol},
    world::World,
};

const A: usize = 0;
const B: usize = 1;
const H: usize = 0;
const K: usize = 1;
const M: usize = 2;

/// Children with parents and values.
type Children<'a> = &'a [Option<(usize, u8)>];

/// No child is stored.
const NONE: Children = &[];
/// A is the parent of H.
const ONE: Children = &[Some((A, 1))];
/// A is the parent of H and K.
const TWO: Children = &[Some((A, 1)), Some((A, 2))];
/// A is the parent of H, B is the parent of K.
const EACH: Children = &[Some((A, 1)), Some((B, 2))];

/// The tasks of a client, the first at the end.
type Tasks = Vec<Task>;

/// A process that writes all members in one group.
fn group(members: &[&[Write]]) -> Tasks {
    let members = members.iter().map(|writes| Member { number: 0, writes: writes.to_vec() }).collect();
    vec![Task::Group(Group { members, leaves: false, lost: false, strict: false, folds: false })]
}

fn write(write: Write) -> Tasks {
    group(&[&[write]])
}

fn inserts(child: usize, parent: usize, value: u8) -> Write {
    Write::Insert { child, parent, value }
}

fn sets(child: usize, value: u8) -> Write {
    Write::Set { child, value }
}

fn increments(child: usize) -> Write {
    Write::Increment { child }
}

fn moves(child: usize, to: usize) -> Write {
    Write::Move { child, to }
}

fn deletes(child: usize) -> Write {
    Write::Delete { child }
}

fn changed(mut tasks: Tasks, change: fn(&mut Group)) -> Tasks {
    for task in &mut tasks {
        if let Task::Group(group) = task {
            change(group);
        }
    }
    tasks
}

/// The parents are known to be hot.
fn leaving(tasks: Tasks) -> Tasks {
    changed(tasks, |group| group.leaves = true)
}

/// The children may not dangle.
fn strict(tasks: Tasks) -> Tasks {
    changed(tasks, |group| group.strict = true)
}

/// The client folds the new deltas.
fn folding(tasks: Tasks) -> Tasks {
    changed(tasks, |group| group.folds = true)
}

/// A sum loses digits.
fn losing(tasks: Tasks) -> Tasks {
    changed(tasks, |group| group.lost = true)
}

fn fold(parent: usize) -> Tasks {
    vec![Task::Fold { parent, lost: false, bound: usize::MAX }]
}

/// Folds one delta.
fn fold_one(parent: usize) -> Tasks {
    vec![Task::Fold { parent, lost: false, bound: 1 }]
}

fn losing_fold(parent: usize) -> Tasks {
    vec![Task::Fold { parent, lost: true, bound: usize::MAX }]
}

fn foreign(parent: usize) -> Tasks {
    vec![Task::Foreign(parent)]
}

fn insert_parent(parent: usize) -> Tasks {
    vec![Task::InsertParent(parent)]
}

fn delete_parent(parent: usize) -> Tasks {
    vec![Task::DeleteParent(parent)]
}

fn delete_childless(parent: usize) -> Tasks {
    vec![Task::DeleteChildless(parent)]
}

/// Deletes a parent and inserts the parent again under the same `_id`.
fn parent_again(parent: usize) -> Tasks {
    vec![Task::InsertParent(parent), Task::DeleteParent(parent)]
}

fn recompute(parent: usize) -> Tasks {
    vec![Task::Recompute(parent)]
}

/// A `recover` beside the clients.
fn recover() -> Tasks {
    [vec![Task::Drop], fold(B), fold(A)].concat()
}

fn run(protocol: Protocol, children: Children, clients: &[Tasks]) -> Rollups {
    let mut number = 0;
    let clients = clients.iter().enumerate().map(|(client, tasks)| {
        let mut tasks = tasks.clone();
        for task in &mut tasks {
            let Task::Group(group) = task else { continue };
            for member in &mut group.members {
                member.number = number;
                number += 1;
            }
        }
        Client::new(client, tasks)
    });
    let clients = clients.collect();
    Rollups { protocol, world: World::new(children), clients, is_wrong: false }
}

fn chosen(children: Children, clients: &[Tasks]) -> Rollups {
    run(CHOSEN, children, clients)
}

/// Removes this parent from the start state.
fn missing(mut run: Rollups, parent: usize) -> Rollups {
    run.world.parents[parent] = None;
    run
}

/// Makes this parent wrong: smaller counts than the children, and a minimum that no child has.
fn wrong(mut run: Rollups, parent: usize) -> Rollups {
    if let Some(of) = &mut run.world.parents[parent] {
        (of.count, of.sum, of.min) = (of.count - 1, of.sum - 1, Some(0));
    }
    run.is_wrong = true;
    run
}

/// A commit of each client may have no answer.
fn unanswered(mut run: Rollups) -> Rollups {
    run.clients.iter_mut().for_each(|client| client.may_lose = true);
    run
}

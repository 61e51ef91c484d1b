//! The runs: the groups of clients that meet. Tasks are T and U, persons P and Q. May use everything.

mod converges;
mod needed;

use schema_protocols::Explore;

use crate::{client::Client, model::Links, operation::Operation, world::World};

const T: usize = 0;
const U: usize = 1;
const P: usize = 0;
const Q: usize = 1;

/// The stored tasks, and the owner of each task.
type Tasks = [Option<Option<usize>>; 2];

fn reassign(task: usize, to: usize) -> Operation {
    Operation::Reassign { task, to }
}

fn insert(task: usize, owner: usize) -> Operation {
    Operation::InsertTask { task, owner }
}

fn delete(task: usize) -> Operation {
    Operation::DeleteTask { task }
}

fn delete_person(person: usize) -> Operation {
    Operation::DeletePerson { person }
}

fn run(bound: u32, tasks: Tasks, operations: &[Operation], client: fn(Operation) -> Client) -> Links {
    Links { world: World::new(tasks), clients: operations.iter().copied().map(client).collect(), bound }
}

/// Runs each operation in a transaction.
fn together(bound: u32, tasks: Tasks, operations: &[Operation]) -> Links {
    run(bound, tasks, operations, Client::new)
}

/// Runs the same writes, each in a separate command.
fn plain(bound: u32, tasks: Tasks, operations: &[Operation]) -> Links {
    run(bound, tasks, operations, Client::plain)
}

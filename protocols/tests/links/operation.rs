//! The operations of a client: each step is a command on a single document, or a read of a single document. May use
//! `world`.

use crate::world::{Person, Task, World};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Reassign {
        task: usize,
        to: usize,
    },
    InsertTask {
        task: usize,
        owner: usize,
    },
    DeleteTask {
        task: usize,
    },
    /// Deletes the person; the tasks of the person have no owner afterwards.
    DeletePerson {
        person: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    Begin,
    /// The task had this owner.
    Set {
        from: Option<usize>,
    },
    Pull {
        from: usize,
    },
    /// Looks for the new owner, and for capacity in the owner's mirror.
    Look,
    Add,
    DeleteTask {
        from: Option<usize>,
    },
    /// The tasks that were in the mirror and may have this owner still.
    Leave {
        tasks: u8,
    },
    DeletePerson,
}

/// The continuation after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Then {
    Step(Stage),
    Done,
    /// Ends with an error.
    Failed,
}

impl Operation {
    pub(crate) fn step(self, stage: Stage, world: &mut World, bound: u32) -> Then {
        match (self, stage) {
            (Operation::Reassign { task, .. }, Stage::Begin) => match world.tasks[task] {
                Some(Task { owner: from }) => Then::Step(Stage::Set { from }),
                None => Then::Done,
            },
            (Operation::Reassign { to, .. }, Stage::Set { from }) if from == Some(to) => Then::Done,
            (Operation::Reassign { task, to }, Stage::Set { from }) => {
                let Some(of) = &mut world.tasks[task] else { return Then::Done };
                of.owner = Some(to);
                Then::Step(from.map_or(Stage::Look, |from| Stage::Pull { from }))
            }
            (Operation::InsertTask { task, owner }, Stage::Begin) => {
                if world.tasks[task].is_some() {
                    return Then::Failed;
                }
                world.tasks[task] = Some(Task { owner: Some(owner) });
                Then::Step(Stage::Look)
            }
            (Operation::Reassign { task, .. } | Operation::DeleteTask { task }, Stage::Pull { from }) => {
                if let Some(of) = &mut world.persons[from] {
                    of.tasks &= !(1 << task);
                }
                if matches!(self, Operation::DeleteTask { .. }) { Then::Done } else { Then::Step(Stage::Look) }
            }
            (Operation::Reassign { to: owner, .. } | Operation::InsertTask { owner, .. }, Stage::Look) => {
                match world.persons[owner] {
                    Some(of) if !of.is_full(bound) => Then::Step(Stage::Add),
                    _ => Then::Failed,
                }
            }
            (Operation::Reassign { task, to: owner } | Operation::InsertTask { task, owner }, Stage::Add) => {
                let Some(of) = &mut world.persons[owner] else { return Then::Failed };
                of.tasks |= 1 << task;
                Then::Done
            }
            (Operation::DeleteTask { task }, Stage::Begin) => match world.tasks[task] {
                Some(Task { owner: from }) => Then::Step(Stage::DeleteTask { from }),
                None => Then::Done,
            },
            (Operation::DeleteTask { task }, Stage::DeleteTask { from }) => {
                world.tasks[task] = None;
                from.map_or(Then::Done, |from| Then::Step(Stage::Pull { from }))
            }
            (Operation::DeletePerson { person }, Stage::Begin) => match world.persons[person] {
                Some(Person { tasks: 0 }) => Then::Step(Stage::DeletePerson),
                Some(Person { tasks }) => Then::Step(Stage::Leave { tasks }),
                None => Then::Done,
            },
            (Operation::DeletePerson { person }, Stage::Leave { tasks }) => {
                let task = tasks.trailing_zeros() as usize;
                if let Some(of) = world.tasks[task].as_mut().filter(|of| of.owner == Some(person)) {
                    of.owner = None;
                }
                Then::Step(match tasks & !(1 << task) {
                    0 => Stage::DeletePerson,
                    tasks => Stage::Leave { tasks },
                })
            }
            (Operation::DeletePerson { person }, Stage::DeletePerson) => {
                world.persons[person] = None;
                Then::Done
            }
            _ => unreachable!("a step of another operation"),
        }
    }
}

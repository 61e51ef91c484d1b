//! A client and the client's tasks; each step of a task is a command, or a transaction with the commit. May use all of
//! the above.

use crate::{
    change::Change,
    compact::{Compact, Repair},
    history::History,
    insert::Insert,
    migrate::{Direction, Migrate},
    protocol::Protocol,
    read::Stream,
    world::{Id, World},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    Insert(Insert),
    Change(Change),
    Compact(Compact),
    Repair(Repair),
    Migrate(Migrate),
    Stream(Stream),
    /// Inserts a linked document, during the migrations of further clients.
    InsertLinked(Id),
}

/// The way that the next command goes, when more than one way is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    Plain,
    /// The server looked for the page before the page was made.
    Raced,
    /// The command is done, and not answered.
    Unanswered,
    /// The command is not answered, and done later.
    Late,
    /// An insert reads nothing, and goes to this page, which the client remembers from earlier inserts; answered, not
    /// answered, or done later.
    Open(u8, Answered),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Answered {
    Yes,
    No,
    Late,
}

/// The context of a step.
pub(crate) struct At<'a> {
    /// The client's number.
    pub(crate) number: usize,
    pub(crate) world: &'a mut World,
    pub(crate) history: &'a mut History,
    pub(crate) protocol: &'a Protocol,
    pub(crate) migrates: Option<Direction>,
    pub(crate) way: Way,
}

/// A number of steps larger than the need of any client that runs alone.
const ENOUGH: usize = 60;

impl Task {
    /// Returns the ways that the next command may go. `fault`: the fault of a push, at most once.
    pub(crate) fn ways(&self, fault: Option<Way>) -> Vec<Way> {
        let others = match self {
            Task::Insert(of) => of.other_ways(fault),
            _ => Vec::new(),
        };
        [Way::Plain].into_iter().chain(others).collect()
    }

    /// Does the next step; returns `None` when the task is done.
    pub(crate) fn step(self, at: &mut At) -> Option<Task> {
        match self {
            Task::Insert(of) => of.step(at).map(Task::Insert),
            Task::Change(of) => of.step(at).map(Task::Change),
            Task::Compact(of) => of.step(at).map(Task::Compact),
            Task::Repair(of) => of.step(at).map(Task::Repair),
            Task::Migrate(of) => of.step(at).map(Task::Migrate),
            Task::Stream(of) => of.step(at).map(Task::Stream),
            Task::InsertLinked(id) => {
                at.history.begins_insert(id);
                if at.world.insert_linked(id) {
                    at.history.migrates(id);
                    at.history.was_inserted(id);
                }
                None
            }
        }
    }

    /// Runs the whole task with no other client running, and returns whether the task gets done.
    pub(crate) fn run(self, at: &mut At) -> bool {
        let mut task = Some(self);
        for _ in 0..ENOUGH {
            match task.take() {
                Some(of) => task = of.step(at),
                None => return true,
            }
        }
        false
    }
}

//! A client: what it does, and each step of it is one command, or a transaction with its commit. May use all of the above.

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
    /// Of a document of its own, while others migrate.
    InsertLinked(Id),
}

/// How the next command goes, where there is more than one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    Plain,
    /// The page was not there when the server looked for it.
    Raced,
    /// It is done, and not answered.
    Unanswered,
    /// It is not answered, and done later.
    Late,
    /// An insert reads nothing, and goes to this page, by what its client knows of earlier inserts; answered, not answered, or done later.
    Open(u8, Answered),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Answered {
    Yes,
    No,
    Late,
}

/// What a step has to do with.
pub(crate) struct At<'a> {
    /// The client's.
    pub(crate) number: usize,
    pub(crate) world: &'a mut World,
    pub(crate) history: &'a mut History,
    pub(crate) protocol: &'a Protocol,
    pub(crate) migrates: Option<Direction>,
    pub(crate) way: Way,
}

/// More steps than any client needs that is alone.
const ENOUGH: usize = 60;

impl Task {
    /// How the next command may go. `fault`: what may go wrong with a push, once.
    pub(crate) fn ways(&self, fault: Option<Way>) -> Vec<Way> {
        let others = match self {
            Task::Insert(of) => of.other_ways(fault),
            _ => Vec::new(),
        };
        [Way::Plain].into_iter().chain(others).collect()
    }

    /// None: it is done.
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

    /// All that it has to do, nobody beside it: whether it gets done.
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

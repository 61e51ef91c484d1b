//! A client: what it has to do, the next on top, and each step of it is one command. May use all but `model`.

use crate::{
    own::Own,
    parent::{Id, Ids},
    protocol::Protocol,
    recover::Recover,
    refresh::Refresh,
    take_over::TakeOver,
    world::World,
    write::Write,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    Write(Write),
    Own(Own),
    TakeOver(TakeOver),
    Refresh(Refresh),
    Recover(Recover),
}

/// How the next command goes, where there is more than one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    Plain,
    /// To this parent first.
    To(usize),
    /// It is acknowledged, and undone by a failover.
    Lost,
    /// It is done, but its answer is an error.
    Unanswered(usize),
    /// Its answer is an error, and it is done later; to this parent, if it is an apply.
    Late(usize),
}

/// What may go wrong with a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Faults {
    None,
    /// What is not on a majority may be lost, and an answer too.
    Failover,
    /// One command is done later than its client knows.
    Late,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    pub(crate) ids: Ids,
    tasks: Vec<Task>,
    /// How often it may take over before it stops: two that take each other over could go on for ever.
    pub(crate) takes: u8,
    stopped: bool,
}

/// What a step has to do with: the rest of its client and the server.
pub(crate) struct At<'a> {
    pub(crate) client: &'a mut Client,
    pub(crate) world: &'a mut World,
    pub(crate) protocol: &'a Protocol,
    pub(crate) way: Way,
}

impl At<'_> {
    /// What is to be done before all that was pushed earlier.
    pub(crate) fn push(&mut self, task: impl Into<Task>) {
        self.client.tasks.push(task.into());
    }

    pub(crate) fn fresh(&mut self) -> Id {
        self.client.ids.fresh()
    }

    /// The client stops here.
    pub(crate) fn stop(&mut self) {
        self.client.tasks.clear();
        self.client.stopped = true;
    }

    /// A mark to take over with.
    pub(crate) fn take(&mut self) -> Option<Id> {
        match self.client.takes.checked_sub(1) {
            Some(left) => {
                self.client.takes = left;
                Some(self.fresh())
            }
            None => {
                self.stop();
                None
            }
        }
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.way == Way::Lost
    }
}

impl Client {
    pub(crate) fn new(number: usize, tasks: Vec<Task>, takes: u8) -> Client {
        Client { ids: Ids::new(number), tasks, takes, stopped: false }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.tasks.is_empty() && !self.stopped
    }

    /// How the next command may go.
    pub(crate) fn ways(&self, protocol: &Protocol, faults: Faults) -> Vec<Way> {
        match self.tasks.last() {
            None => vec![],
            Some(Task::Own(of)) => of.ways(protocol, faults),
            Some(Task::Write(of)) if faults == Faults::Failover && of.may_be_lost(protocol) => {
                vec![Way::Plain, Way::Lost]
            }
            Some(Task::Write(of)) if faults == Faults::Late && of.may_be_late() => vec![Way::Plain, Way::Late(0)],
            Some(_) => vec![Way::Plain],
        }
    }

    pub(crate) fn step(&mut self, way: Way, world: &mut World, protocol: &Protocol) {
        let Some(task) = self.tasks.pop() else { return };
        let mut at = At { client: self, world, protocol, way };
        match task {
            Task::Write(of) => of.step(&mut at),
            Task::Own(of) => of.step(&mut at),
            Task::TakeOver(of) => of.step(&mut at),
            Task::Refresh(of) => of.step(&mut at),
            Task::Recover(of) => of.step(&mut at),
        }
        if self.tasks.is_empty() {
            // So that states that differ in nothing else are one.
            (self.ids, self.takes) = (self.ids.unused(), 0);
        }
    }

    /// All that it has to do, nobody beside it.
    pub(crate) fn run(mut self, world: &mut World, protocol: &Protocol) -> bool {
        for _ in 0..400 {
            let Some(way) = self.ways(protocol, Faults::None).first().copied() else { return true };
            self.step(way, world, protocol);
        }
        false
    }
}

macro_rules! tasks {
    ($($kind:ident),*) => {$(
        impl From<$kind> for Task {
            fn from(of: $kind) -> Task {
                Task::$kind(of)
            }
        }
    )*};
}

tasks!(Write, Own, TakeOver, Refresh, Recover);

//! A client, and the server's part of each command. A transaction sees a snapshot and the transaction's own writes. The
//! server ends a transaction that writes a document which another client has written since the snapshot, or is writing.
//! A plain write waits for the transaction that writes the same document. May use `operation`, `protocol`, `world`.

use crate::{
    operation::{Context, Group, Stage, Task, Then},
    protocol::Protocol,
    world::{Documents, World},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    pub(crate) number: u8,
    /// The tasks to do, the first at the end.
    pub(crate) tasks: Vec<Task>,
    /// Attempts of the task so far.
    pub(crate) tries: u8,
    pub(crate) progress: Progress,
    /// The number of ids used.
    used: u8,
    /// A commit of this client may have no answer.
    pub(crate) may_lose: bool,
    /// A recompute is done.
    pub(crate) has_recomputed: bool,
    /// The answers of the members of groups.
    pub(crate) answers: Vec<(usize, Answer)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Progress {
    /// Nothing is open.
    Idle,
    Open {
        after: Then,
        transaction: Transaction,
    },
    /// Between plain commands.
    Plain(Stage),
    /// A commit has no answer. `None`: the commit has happened.
    Asking {
        left: u8,
        transaction: Option<Transaction>,
    },
    /// The client has stopped for good.
    Ended,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Transaction {
    pub(crate) sees: World,
    pub(crate) written: Documents,
    /// The documents that further clients have committed since the snapshot.
    changed: Documents,
    /// `Client::used` at the beginning.
    used: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Answer {
    Written,
    /// No such child is stored, or the write changes nothing.
    Unchanged,
    /// The child is stored already, or the parent is missing.
    Refused,
    /// The server has ended too many attempts.
    Conflict,
}

/// The server's state while a client takes a step.
pub(crate) struct Server<'a> {
    pub(crate) world: &'a mut World,
    /// The documents that concurrent transactions write.
    pub(crate) others: Documents,
    /// Deltas that every open transaction sees.
    pub(crate) old: u64,
    pub(crate) protocol: &'a Protocol,
}

/// Two attempts apply, two leave.
const TRIES: u8 = 4;
pub(crate) const APPLIES: u8 = 2;

impl Client {
    pub(crate) fn new(number: usize, tasks: Vec<Task>) -> Client {
        Client {
            number: number as u8,
            tasks,
            tries: 0,
            progress: Progress::Idle,
            used: 0,
            may_lose: false,
            has_recomputed: false,
            answers: Vec::new(),
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.progress == Progress::Ended || self.tasks.is_empty()
    }

    /// The open transaction.
    pub(crate) fn transaction(&self) -> Option<&Transaction> {
        match &self.progress {
            Progress::Open { transaction, .. } => Some(transaction),
            Progress::Asking { transaction, .. } => transaction.as_ref(),
            _ => None,
        }
    }

    /// Notes the documents that another client has committed.
    pub(crate) fn hear(&mut self, committed: Documents) {
        match &mut self.progress {
            Progress::Open { transaction, .. } | Progress::Asking { transaction: Some(transaction), .. } => {
                transaction.changed |= committed;
            }
            _ => {}
        }
    }

    pub(crate) fn end(&mut self) {
        self.progress = Progress::Ended;
        self.tasks.clear();
    }

    /// Does the next step. Returns the documents that the step commits, or nothing if the command waits in the server.
    pub(crate) fn step(&mut self, server: &mut Server) -> Option<Documents> {
        let progress = std::mem::replace(&mut self.progress, Progress::Idle);
        match progress {
            Progress::Idle => self.begin(Stage::Begin, server),
            Progress::Plain(stage) => self.begin(stage, server),
            Progress::Open { after: Then::Step(stage), transaction } => {
                self.send(stage, transaction, server);
                Some(0)
            }
            Progress::Open { after: Then::Commit { left }, transaction } => {
                server.world.take(transaction.written, &transaction.sees);
                self.finish(left, server.world, server.protocol);
                Some(transaction.written)
            }
            Progress::Open { after: Then::Failed, .. } => {
                self.fail(server.protocol);
                Some(0)
            }
            Progress::Asking { .. } if !server.protocol.ask_same => Some(0),
            Progress::Asking { left, transaction } => {
                let written = transaction.map_or(0, |of| {
                    server.world.take(of.written, &of.sees);
                    of.written
                });
                self.finish(left, server.world, server.protocol);
                Some(written)
            }
            Progress::Open { after: Then::Again, .. } | Progress::Ended => unreachable!("there is no next step"),
        }
    }

    /// Loses the answer to the next commit, which happens or not. Returns the committed documents.
    pub(crate) fn lose(&mut self, happens: bool, world: &mut World) -> Documents {
        let Progress::Open { after: Then::Commit { left }, transaction } = &self.progress else {
            unreachable!("it commits next")
        };
        self.may_lose = false;
        self.progress = Progress::Asking { left: *left, transaction: Some(transaction.clone()) };
        if happens { self.happen(world) } else { 0 }
    }

    /// Makes the commit without an answer happen now.
    pub(crate) fn happen(&mut self, world: &mut World) -> Documents {
        let Progress::Asking { transaction, .. } = &mut self.progress else { unreachable!("it has no answer") };
        transaction.take().map_or(0, |of| {
            world.take(of.written, &of.sees);
            of.written
        })
    }

    /// Notes that the server ends the transaction: the task begins again, or the client gives up.
    pub(crate) fn again(&mut self) {
        self.progress = Progress::Idle;
        self.tries += 1;
        if self.tries < TRIES {
            return;
        }
        self.tries = 0;
        match self.tasks.pop() {
            Some(Task::Group(group)) => self.answer(&group, |_| Answer::Conflict),
            Some(Task::Recompute(_) | Task::Reread(_)) => self.end(),
            _ => {}
        }
    }

    fn begin(&mut self, stage: Stage, server: &mut Server) -> Option<Documents> {
        let Some(task) = self.tasks.last() else { unreachable!("it is done") };
        if task.is_transaction(stage, server.protocol) {
            let transaction = Transaction { sees: server.world.clone(), written: 0, changed: 0, used: self.used };
            self.send(stage, transaction, server);
            return Some(0);
        }
        let before = server.world.clone();
        let mut world = before.clone();
        let then = self.command(stage, &mut world, server);
        let written = world.differs(&before);
        if written & server.others != 0 {
            return None;
        }
        *server.world = world;
        match then {
            Then::Step(stage) => self.progress = Progress::Plain(stage),
            Then::Commit { left } => self.finish(left, server.world, server.protocol),
            Then::Failed => self.fail(server.protocol),
            Then::Again => self.again(),
        }
        Some(written)
    }

    /// Sends a command of a transaction.
    fn send(&mut self, stage: Stage, mut transaction: Transaction, server: &Server) {
        let before = transaction.sees.clone();
        let after = self.command(stage, &mut transaction.sees, server);
        let written = transaction.sees.differs(&before);
        if written & (transaction.changed | server.others) != 0 {
            self.used = transaction.used;
            return self.again();
        }
        transaction.written |= written;
        match after {
            Then::Commit { left } if transaction.written == 0 => self.finish(left, &transaction.sees, server.protocol),
            after => self.progress = Progress::Open { after, transaction },
        }
    }

    fn command(&mut self, stage: Stage, world: &mut World, server: &Server) -> Then {
        let Some(task) = self.tasks.last() else { unreachable!("it is done") };
        let is_tried = server.protocol.leave_after_conflicts && self.tries >= APPLIES;
        let leaves = is_tried || matches!(task, Task::Group(Group { leaves: true, .. }));
        let context =
            Context { protocol: server.protocol, client: self.number, leaves, used: &mut self.used, old: server.old };
        task.step(stage, world, context)
    }

    /// Notes that the task is done.
    fn finish(&mut self, left: u8, world: &World, protocol: &Protocol) {
        (self.progress, self.tries) = (Progress::Idle, 0);
        match self.tasks.pop() {
            Some(Task::Group(group)) => {
                self.answer(&group, |number| if world.done[number] > 0 { Answer::Written } else { Answer::Unchanged });
                if group.folds {
                    let parents = (0..8).filter(|parent| left & 1 << parent != 0);
                    self.tasks.extend(parents.map(|parent| Task::Fold { parent, lost: group.lost, bound: usize::MAX }));
                }
                if group.removes() && !protocol.reread_inside {
                    self.tasks.extend([Task::Reread(0), Task::Reread(1)]);
                }
            }
            Some(Task::Recompute(parent)) => self.tasks.push(Task::Reread(parent)),
            Some(Task::Reread(_)) => self.has_recomputed = true,
            _ => {}
        }
    }

    /// Notes that a member of the group fails, and that the server ends the transaction.
    fn fail(&mut self, protocol: &Protocol) {
        (self.progress, self.tries) = (Progress::Idle, 0);
        let Some(Task::Group(group)) = self.tasks.pop() else { return };
        if group.members.len() == 1 || !protocol.one_by_one {
            return self.answer(&group, |_| Answer::Refused);
        }
        let alone = group.members.iter().rev();
        self.tasks.extend(alone.map(|member| Task::Group(Group { members: vec![member.clone()], ..group })));
    }

    fn answer(&mut self, group: &Group, answer: impl Fn(usize) -> Answer) {
        self.answers.extend(group.members.iter().map(|member| (member.number, answer(member.number))));
    }
}

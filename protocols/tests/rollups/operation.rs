//! The tasks of clients, and the stages of each task: each step is a command. May use `protocol`, `world`.

use crate::{
    protocol::Protocol,
    world::{OF_CLIENT, PARENTS, Parent, World},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    Group(Group),
    /// Reads and deletes deltas of a parent, and applies the sum.
    Fold {
        parent: usize,
        /// The sum has lost digits: the fold recounts.
        lost: bool,
        /// The greatest number of deltas.
        bound: usize,
    },
    /// A plain write of the parent's own field.
    Foreign(usize),
    InsertParent(usize),
    DeleteParent(usize),
    /// Deletes a parent that has no children.
    DeleteChildless(usize),
    Recompute(usize),
    /// Reads the extremes of a parent again.
    Reread(usize),
    /// Deletes the old deltas of missing parents.
    Drop,
}

/// Writes of children that share a transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Group {
    pub(crate) members: Vec<Member>,
    /// The parents are known to be hot.
    pub(crate) leaves: bool,
    /// A sum has lost digits: the parents are recounted.
    pub(crate) lost: bool,
    /// A child with a missing parent is refused.
    pub(crate) strict: bool,
    /// The client folds the deltas that the group leaves.
    pub(crate) folds: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Member {
    /// The place in `World::done`.
    pub(crate) number: usize,
    /// The writes of the member: all or none.
    pub(crate) writes: Vec<Write>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Write {
    Insert {
        child: usize,
        parent: usize,
        value: u8,
    },
    Set {
        child: usize,
        value: u8,
    },
    /// Increments the value by one.
    Increment {
        child: usize,
    },
    Move {
        child: usize,
        to: usize,
    },
    Delete {
        child: usize,
    },
}

/// The change of one parent by a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Difference {
    pub(crate) count: i8,
    pub(crate) sum: i8,
    /// The least value that was added, and the least that was removed.
    pub(crate) added: Option<u8>,
    pub(crate) removed: Option<u8>,
    /// The minimum of the parent, asked before the transaction.
    pub(crate) asked: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    Begin,
    /// The stages of a group: the next write of children, then each parent.
    Write {
        next: u8,
        differences: [Difference; PARENTS],
    },
    Differ {
        parent: u8,
        differences: [Difference; PARENTS],
        left: u8,
    },
    Reread {
        parent: u8,
        differences: [Difference; PARENTS],
        left: u8,
    },
    /// The stage of a fold: the sum of the deleted deltas.
    Apply {
        count: i8,
        sum: i8,
        extremes: bool,
    },
    /// The stage of an insert of a parent: a count of the children before the transaction.
    InsertParent(Parent),
    DeleteDeltas,
    /// The stages of a recompute: the parent, then the sum of the deltas, then the correction.
    ReadLeft {
        parent: Parent,
    },
    ReadChildren {
        parent: Parent,
        left: (i8, i8),
    },
    Correct {
        count: i8,
        sum: i8,
        corrected: u8,
    },
    /// The stage of a reread without a transaction: the minimum of the children.
    SetMin(Option<u8>),
    /// The stage of a drop: the old deltas, a bit for each delta.
    Drop(u64),
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Then {
    Step(Stage),
    /// All commands are sent. `left`: the parents with a new delta, a bit for each parent.
    Commit {
        left: u8,
    },
    Failed,
    Again,
}

/// The means of a step.
pub(crate) struct Context<'a> {
    pub(crate) protocol: &'a Protocol,
    pub(crate) client: u8,
    /// True when this attempt leaves the differences.
    pub(crate) leaves: bool,
    /// The number of ids that this client has used.
    pub(crate) used: &'a mut u8,
    /// Deltas that every open transaction sees.
    pub(crate) old: u64,
}

pub(crate) const COMMIT: Then = Then::Commit { left: 0 };

impl Context<'_> {
    /// Returns a new id, unique among all clients.
    pub(crate) fn new_id(&mut self) -> u8 {
        *self.used += 1;
        assert!(*self.used < OF_CLIENT, "a client needs too many ids");
        self.client * OF_CLIENT + *self.used
    }
}

impl Task {
    /// Returns whether the commands of this task are one transaction.
    pub(crate) fn is_transaction(&self, stage: Stage, protocol: &Protocol) -> bool {
        match self {
            Task::Group(_) => protocol.one_transaction && (protocol.ask_inside || stage != Stage::Begin),
            Task::Fold { .. } => protocol.fold_at_once,
            Task::InsertParent(_) => protocol.insert_counts || stage != Stage::Begin,
            Task::DeleteChildless(_) => true,
            Task::Reread(_) => protocol.reread_transaction,
            Task::Foreign(_) | Task::DeleteParent(_) | Task::Recompute(_) | Task::Drop => false,
        }
    }

    pub(crate) fn step(&self, stage: Stage, world: &mut World, context: Context) -> Then {
        match self {
            Task::Group(group) => group.step(stage, world, context),
            Task::Fold { parent, lost: true, .. } => crate::fold::recount_if_left(*parent, world, context),
            Task::Fold { parent, bound, .. } => crate::fold::fold(*parent, *bound, stage, world, context),
            Task::Drop => crate::fold::drop(stage, world, context),
            Task::Foreign(parent) => crate::parent::write_own(*parent, world),
            Task::InsertParent(parent) => crate::parent::insert(*parent, stage, world, context),
            Task::DeleteChildless(parent) => crate::parent::delete_childless(*parent, world),
            Task::DeleteParent(parent) => crate::parent::delete(*parent, world),
            Task::Recompute(parent) => crate::parent::recompute(*parent, stage, world, context),
            Task::Reread(parent) => crate::parent::reread(*parent, stage, world, context),
        }
    }
}

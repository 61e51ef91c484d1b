//! Bringing a parent up to its children: adding one child, or a recompute. May use `world`, `protocol`.

use crate::{
    protocol::Protocol,
    world::{Door, Id, Ids, Rollup, World},
};

/// Until the parent is known to have what the client's marks are about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bring {
    pub(crate) parent: usize,
    pub(crate) ids: Ids,
    way: Way,
    state: State,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Way {
    /// A new child is added to the parent as it is.
    Add { child: usize },
    /// By a recompute: of one's own, or one that began after the marks were set and has taken them.
    Any,
    /// By a recompute of one's own.
    Own,
    /// The parent need only be open.
    Open,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    Add {
        epoch: Option<Id>,
    },
    /// The parent was closed, or of another epoch.
    Await,
    /// The parent is open: is the mark still there?
    Look {
        epoch: Option<Id>,
    },
    /// Without the part `look_after_epoch`: the look was first.
    AwaitAfterLook,
    Close,
    /// Bits are the children that the command has not come to. It comes to them in any order.
    Claim {
        id: Id,
        to_do: u8,
    },
    Read {
        id: Id,
        to_do: u8,
        rollup: Rollup,
    },
    Write {
        id: Id,
        rollup: Rollup,
    },
    Clear {
        id: Id,
        to_do: u8,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BringAction {
    Add,
    Await,
    TakeOver,
    Look,
    Close,
    Claim(usize),
    Read(usize),
    Write,
    Clear(usize),
}

pub(crate) enum Progress {
    On(Bring),
    /// The parent has it as of this epoch, or there is no parent.
    Done {
        ids: Ids,
        epoch: Option<Id>,
        parent_is_there: bool,
    },
}

impl Bring {
    /// For a new child, with the epoch that was read before its insert, if the parent was open then.
    pub(crate) fn add(child: usize, parent: usize, ids: Ids, epoch: Option<Option<Id>>) -> Bring {
        let state = epoch.map_or(State::Await, |epoch| State::Add { epoch });
        Bring { parent, ids, way: Way::Add { child }, state }
    }

    /// For a changed child, which is marked.
    pub(crate) fn any(parent: usize, ids: Ids) -> Bring {
        Bring { parent, ids, way: Way::Any, state: State::Close }
    }

    /// Where nothing that is still at the parent's children tells whether another recompute has done it.
    pub(crate) fn own(parent: usize, ids: Ids) -> Bring {
        Bring { parent, ids, way: Way::Own, state: State::Close }
    }

    /// Where the mark, with the epoch of the open parent, tells.
    pub(crate) fn open(parent: usize, ids: Ids) -> Bring {
        Bring { parent, ids, way: Way::Open, state: State::Await }
    }

    /// For a parent that was inserted closed by this id.
    pub(crate) fn born(parent: usize, ids: Ids, id: Id, world: &World) -> Bring {
        Bring { parent, ids, way: Way::Own, state: State::claim(id, world) }
    }

    pub(crate) fn actions(&self, world: &World) -> Vec<BringAction> {
        let each = |to_do: u8, action: fn(usize) -> BringAction| {
            (0..world.children.len()).filter(|child| to_do & 1 << child != 0).map(action).collect()
        };
        match &self.state {
            State::Add { .. } => vec![BringAction::Add],
            State::Await | State::AwaitAfterLook => match world.door(self.parent) {
                Door::Closed if world.can_be_taken_over(self.parent) => vec![BringAction::TakeOver],
                Door::Closed => vec![],
                Door::Open(_) | Door::NoParent => vec![BringAction::Await],
            },
            State::Look { .. } => vec![BringAction::Look],
            State::Close => vec![BringAction::Close],
            State::Claim { to_do, .. } => each(*to_do, BringAction::Claim),
            State::Read { to_do, .. } => each(*to_do, BringAction::Read),
            State::Write { .. } => vec![BringAction::Write],
            State::Clear { to_do, .. } => each(*to_do, BringAction::Clear),
        }
    }

    pub(crate) fn next(mut self, action: BringAction, world: &mut World, protocol: &Protocol) -> Progress {
        let parent = self.parent;
        self.state = match (self.state, action) {
            (State::Add { epoch }, _) => {
                let Way::Add { child } = self.way else { unreachable!("only a new child is added") };
                if world.add(parent, epoch, child, protocol) {
                    return Progress::Done { ids: self.ids, epoch, parent_is_there: true };
                }
                if protocol.look_after_epoch { State::Await } else { State::Look { epoch: None } }
            }
            (State::Await | State::AwaitAfterLook, BringAction::TakeOver) => {
                if let Way::Add { .. } = self.way {
                    self.way = Way::Any;
                }
                let id = self.ids.fresh();
                world.take_over(parent, id);
                State::claim_or_read(id, world, protocol)
            }
            (state @ (State::Await | State::AwaitAfterLook), _) => match world.door(parent) {
                Door::Open(_) if self.way == Way::Own => State::Close,
                Door::Open(epoch) if self.way == Way::Open => {
                    return Progress::Done { ids: self.ids, epoch, parent_is_there: true };
                }
                Door::Open(epoch) if !protocol.look || state == State::AwaitAfterLook => State::Add { epoch },
                Door::Open(epoch) => State::Look { epoch },
                Door::NoParent => return Progress::Done { ids: self.ids, epoch: None, parent_is_there: false },
                Door::Closed => unreachable!("it waits"),
            },
            (State::Look { epoch }, _) => {
                if !world.has_mark_of(self.ids.of, parent) {
                    return Progress::Done { ids: self.ids, epoch, parent_is_there: true };
                }
                match self.way {
                    Way::Add { .. } if !protocol.look_after_epoch => State::AwaitAfterLook,
                    Way::Add { .. } => State::Add { epoch },
                    _ => State::Close,
                }
            }
            (State::Close, _) => {
                let id = self.ids.fresh();
                match world.close(parent, id) {
                    Door::Open(_) => State::claim_or_read(id, world, protocol),
                    Door::Closed => State::Await,
                    Door::NoParent => return Progress::Done { ids: self.ids, epoch: None, parent_is_there: false },
                }
            }
            (State::Claim { id, to_do }, BringAction::Claim(child)) => {
                world.claim(child, parent, id);
                match to_do & !(1 << child) {
                    0 => State::Read { id, to_do: State::all(world), rollup: Rollup::EMPTY },
                    to_do => State::Claim { id, to_do },
                }
            }
            (State::Read { id, to_do, mut rollup }, BringAction::Read(child)) => {
                if let Some(value) = world.counted(child, parent, id, protocol) {
                    rollup.add(child, value);
                }
                match to_do & !(1 << child) {
                    0 => State::Write { id, rollup },
                    to_do => State::Read { id, to_do, rollup },
                }
            }
            (State::Write { id, rollup }, _) => {
                if world.write(parent, id, rollup, protocol) {
                    State::Clear { id, to_do: State::all(world) }
                } else if protocol.again {
                    State::Await
                } else {
                    return Progress::Done { ids: self.ids, epoch: None, parent_is_there: true };
                }
            }
            (State::Clear { id, to_do }, BringAction::Clear(child)) => {
                let of_parent =
                    world.children[child].as_ref().is_some_and(|of| of.parent == parent && of.mark == Some(id));
                if of_parent {
                    world.clear(child, Some(id), protocol);
                }
                match to_do & !(1 << child) {
                    0 => return Progress::Done { ids: self.ids, epoch: Some(id), parent_is_there: true },
                    to_do => State::Clear { id, to_do },
                }
            }
            _ => unreachable!("an action of another state"),
        };
        Progress::On(self)
    }
}

impl State {
    fn all(world: &World) -> u8 {
        (1 << world.children.len()) - 1
    }

    fn claim(id: Id, world: &World) -> State {
        State::Claim { id, to_do: State::all(world) }
    }

    fn claim_or_read(id: Id, world: &World, protocol: &Protocol) -> State {
        match protocol.claim {
            true => State::claim(id, world),
            false => State::Read { id, to_do: State::all(world), rollup: Rollup::EMPTY },
        }
    }
}

//! The clients together, as a `stateright` model: every order of their steps. That a client stops for good needs no step of its
//! own: nobody waits for another, so what it left is what is there while it does not go on. May use all of the above.

use stateright::{Model, Property};

use crate::{
    client::{Client, Faults, Way},
    protocol::Protocol,
    recover::Recover,
    world::World,
};

pub(crate) const CONVERGES: &str =
    "wherever clients stop, once recover has run every parent is right and nothing is left";
pub(crate) const INVARIANT: &str = "each parent counts what the invariant says";
pub(crate) const QUIET: &str = "without a crash, every parent is right when all are done";
pub(crate) const NOTHING_LEFT: &str = "without a crash, nothing is left when all are done";
pub(crate) const DELETED_ONCE: &str = "one client at most believes that it deletes a child, and then it does";
pub(crate) const REACHED_ONCE: &str = "an increment reaches each child once";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Step(usize, Way),
    /// The server does what a client has sent, and has no answer to.
    Land,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) world: World,
    pub(crate) clients: Vec<Client>,
}

/// What may be left without a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    Nothing,
    /// Marks that are revoked.
    Revoked,
    /// These, and marks that are applied: a forget was lost.
    Marks,
}

#[derive(Clone, Debug)]
pub(crate) struct Rollups {
    pub(crate) protocol: Protocol,
    /// The children that are there from the start.
    pub(crate) world: World,
    pub(crate) clients: Vec<Client>,
    pub(crate) faults: Faults,
    /// The parents are right at the start.
    pub(crate) right: bool,
    pub(crate) left: Left,
    /// The clients that increment all children, a bit each.
    pub(crate) incrementers: u8,
}

impl State {
    fn is_done(&self) -> bool {
        self.clients.iter().all(Client::is_done)
    }

    /// All stop here. Then recover runs alone, and once more an hour later, when all is done that was sent.
    fn converges(&self, protocol: &Protocol) -> bool {
        let mut world = self.world.clone();
        let recover = |late| Client::new(9, vec![Recover::Records { late }.into()], u8::MAX);
        let done = recover(false).run(&mut world, protocol);
        while world.late.is_some() {
            world.land(protocol);
        }
        done && recover(true).run(&mut world, protocol) && world.is_right() && world.is_clean(true)
    }

    fn is_left(&self, left: Left) -> bool {
        let world = &self.world;
        match left {
            Left::Nothing => !world.is_clean(true),
            Left::Revoked => !world.is_clean(false),
            Left::Marks => {
                !world.children.iter().flatten().all(|of| of.record.is_none() && of.by.is_empty() && !of.gone)
            }
        }
    }

    fn deleted_once(&self) -> bool {
        self.world.children.iter().flatten().all(|of| of.deleters <= 1 && (of.deleters == 0 || !self.is_done()))
    }

    /// None twice; and when all are done, each child that was there from the start.
    fn reached_once(&self, model: &Rollups) -> bool {
        let twice =
            self.world.children.iter().flatten().any(|of| of.reached.windows(2).any(|pair| pair[0].of == pair[1].of));
        let reached = |client: usize| {
            let both = self.world.children.iter().zip(&model.world.children);
            both.filter_map(|(now, first)| now.as_ref().filter(|now| first.is_some() && !now.gone))
                .all(|of| of.reached.iter().any(|by| by.of as usize == client))
        };
        let missed = (0..self.clients.len())
            .any(|client| model.incrementers & 1 << client != 0 && self.is_done() && !reached(client));
        !twice && !missed
    }
}

impl Model for Rollups {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State { world: self.world.clone(), clients: self.clients.clone() }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (number, client) in state.clients.iter().enumerate() {
            actions.extend(client.ways(&self.protocol, self.faults).into_iter().map(|way| Action::Step(number, way)));
        }
        actions.extend(state.world.late.is_some().then_some(Action::Land));
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        match action {
            Action::Step(number, way) => state.clients[number].step(way, &mut state.world, &self.protocol),
            Action::Land => state.world.land(&self.protocol),
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Rollups>> {
        vec![
            Property::always(CONVERGES, |model: &Rollups, state: &State| {
                !model.right || state.converges(&model.protocol)
            }),
            Property::always(INVARIANT, |model: &Rollups, state: &State| {
                !model.right || state.world.is_as_the_invariant_says()
            }),
            Property::always(QUIET, |_: &Rollups, state: &State| !state.is_done() || state.world.is_right()),
            Property::always(NOTHING_LEFT, |model: &Rollups, state: &State| {
                !state.is_done() || !state.is_left(model.left)
            }),
            Property::always(DELETED_ONCE, |_: &Rollups, state: &State| state.deleted_once()),
            Property::always(REACHED_ONCE, |model: &Rollups, state: &State| state.reached_once(model)),
            Property::sometimes("all are done", |_: &Rollups, state: &State| state.is_done()),
        ]
    }
}

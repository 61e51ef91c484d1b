//! The clients together, as a `stateright` model: every order of the clients' steps. A client that stops for good needs
//! no separate step: nobody waits for another client, so a stopped client leaves the same state as a client that does
//! not go on. May use all of the above.

use stateright::{Model, Property};

use crate::{
    client::Client,
    protocol::Protocol,
    recover::Recover,
    world::{Child, End, Life, World},
};

pub(crate) const NOTHING_LEFT: &str = "wherever clients stop, once recover has run nothing of the protocol is left";
pub(crate) const NO_ORPHAN: &str = "and no child refers to a parent that is not there";
pub(crate) const KEPT: &str =
    "and what was inserted or updated with success is gone only with its parent, or by a plain delete";
pub(crate) const WHOLE: &str = "and from the children of a parent that is there no delete has taken anything";
pub(crate) const REFUSED: &str = "an insert that is answered with an error leaves no child";
pub(crate) const CHECKED: &str = "a child that is not unchecked refers to the parent that is there";
pub(crate) const GONE: &str = "a parent whose delete is answered with success is gone";
pub(crate) const OWN: &str = "a delete takes no child of a parent that was inserted later";
pub(crate) const QUIET: &str = "without a crash, all of this holds when all are done";

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) world: World,
    pub(crate) clients: Vec<Client>,
}

#[derive(Clone, Debug)]
pub(crate) struct Deletes {
    pub(crate) protocol: Protocol,
    /// The documents at the start.
    pub(crate) world: World,
    pub(crate) clients: Vec<Client>,
}

/// The number of the client, and the client's step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Action(usize, Client);

impl World {
    fn lives(&self) -> impl Iterator<Item = &Life> {
        self.places.iter().flat_map(|place| &place.lives)
    }

    fn children(&self) -> impl Iterator<Item = &Child> {
        self.places.iter().filter_map(|place| place.child.as_ref())
    }

    fn is_there(&self, number: u8) -> bool {
        self.parent.is_some_and(|parent| parent.number == number)
    }

    fn is_clean(&self) -> bool {
        self.deleting().is_none() && self.children().all(|child| child.unchecked.is_none())
    }

    fn has_no_orphan(&self) -> bool {
        self.children().all(|child| !child.refers || self.parent.is_some())
    }

    fn is_kept(&self) -> bool {
        let is_kept = |life: &Life| match life.end {
            None | Some(End::Plain) => true,
            Some(End::Cascade(of)) => !self.is_there(of),
            Some(End::Dangling) => false,
        };
        self.lives().filter(|life| life.answer == Some(true) || life.updated).all(is_kept)
    }

    fn is_whole(&self) -> bool {
        self.parent.is_none_or(|parent| self.touched & 1 << parent.number == 0)
    }

    fn is_refused(&self) -> bool {
        self.lives().all(|life| life.answer != Some(false) || life.end.is_some())
    }

    fn is_checked(&self) -> bool {
        let is_checked = |child: &Child| child.of.is_some_and(|of| self.is_there(of));
        self.children().all(|child| !child.refers || child.unchecked.is_some() || is_checked(child))
    }

    fn is_gone(&self) -> bool {
        self.parent.is_none_or(|parent| self.answered_gone & 1 << parent.number == 0)
    }
}

impl State {
    /// Stops all clients. Then recover runs alone, until recover finds nothing.
    fn recovered(&self, protocol: &Protocol) -> World {
        let mut world = self.world.clone();
        for _ in 0..4 {
            let before = world.clone();
            let mut client = Client::Recover(Recover::new());
            while !client.is_done() {
                client = client.step(self.clients.len(), &mut world, protocol);
            }
            if world == before {
                break;
            }
        }
        world
    }

    fn is_quiet(&self) -> bool {
        let world = &self.world;
        let is_done = self.clients.iter().all(Client::is_done);
        !is_done || world.is_clean() && world.has_no_orphan() && world.is_kept() && world.is_whole()
    }
}

impl Model for Deletes {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State { world: self.world.clone(), clients: self.clients.clone() }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let clients = state.clients.iter().enumerate().filter(|(_, client)| client.may_step(&state.world));
        actions.extend(clients.map(|(number, client)| Action(number, client.clone())));
    }

    fn next_state(&self, before: &State, Action(number, client): Action) -> Option<State> {
        let mut state = before.clone();
        state.clients[number] = client.step(number, &mut state.world, &self.protocol);
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Deletes>> {
        vec![
            Property::always(NOTHING_LEFT, |model: &Deletes, state: &State| {
                state.recovered(&model.protocol).is_clean()
            }),
            Property::always(NO_ORPHAN, |model: &Deletes, state: &State| {
                state.recovered(&model.protocol).has_no_orphan()
            }),
            Property::always(KEPT, |model: &Deletes, state: &State| state.recovered(&model.protocol).is_kept()),
            Property::always(WHOLE, |model: &Deletes, state: &State| state.recovered(&model.protocol).is_whole()),
            Property::always(REFUSED, |_: &Deletes, state: &State| state.world.is_refused()),
            Property::always(CHECKED, |_: &Deletes, state: &State| state.world.is_checked()),
            Property::always(GONE, |_: &Deletes, state: &State| state.world.is_gone()),
            Property::always(OWN, |_: &Deletes, state: &State| !state.world.later_taken),
            Property::always(QUIET, |_: &Deletes, state: &State| state.is_quiet()),
            Property::sometimes("all are done", |_: &Deletes, state: &State| state.clients.iter().all(Client::is_done)),
        ]
    }
}

//! The clients together, as a `stateright` model: every order of the clients' steps. A client may stop for good between
//! any two steps: the server ends the client's transaction; without a transaction, a stopped client leaves the same
//! state as a client that does not go on. May use all of the above.

use stateright::{Model, Property};

use crate::{client::Client, world::World};

pub(crate) const BOTH_ENDS: &str = "a task has an owner if and only if it is in the mirror of that one";
pub(crate) const BOUND: &str = "no mirror is over its bound";
pub(crate) const THERE: &str = "no task has an owner that is not there";
pub(crate) const QUIET: &str = "without a crash, all of this holds when all are done";

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The committed documents.
    world: World,
    clients: Vec<Client>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Step(usize),
    /// The server ends the transaction of a client that is gone.
    End(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Links {
    pub(crate) world: World,
    pub(crate) clients: Vec<Client>,
    /// The most tasks of a person.
    pub(crate) bound: u32,
}

impl State {
    fn is_done(&self) -> bool {
        self.clients.iter().all(|client| *client == Client::Done)
    }

    fn step(&mut self, number: usize, bound: u32) {
        let others = self.clients.iter().enumerate().filter(|(other, _)| *other != number);
        let others = others.fold(0, |all, (_, client)| all | client.written());
        let client = std::mem::replace(&mut self.clients[number], Client::Done);
        let (client, committed) = client.step(&mut self.world, others, bound);
        self.clients[number] = client;
        self.clients.iter_mut().for_each(|client| client.hear(committed));
    }
}

impl Model for Links {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State { world: self.world, clients: self.clients.clone() }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (number, client) in state.clients.iter().enumerate() {
            if *client != Client::Done {
                actions.push(Action::Step(number));
            }
            if client.is_open() {
                actions.push(Action::End(number));
            }
        }
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        match action {
            Action::Step(number) => state.step(number, self.bound),
            Action::End(number) => state.clients[number] = Client::Done,
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Links>> {
        vec![
            Property::always(BOTH_ENDS, |_: &Links, state: &State| state.world.both_ends_agree()),
            Property::always(BOUND, |model: &Links, state: &State| state.world.is_within(model.bound)),
            Property::always(THERE, |_: &Links, state: &State| state.world.owners_are_there()),
            Property::always(QUIET, |model: &Links, state: &State| {
                let world = &state.world;
                let is_right = world.both_ends_agree() && world.is_within(model.bound) && world.owners_are_there();
                !state.is_done() || is_right
            }),
            Property::sometimes("all are done", |_: &Links, state: &State| state.is_done()),
            Property::sometimes("something is committed", |model: &Links, state: &State| state.world != model.world),
        ]
    }
}

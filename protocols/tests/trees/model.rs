//! The clients together, as a `stateright` model: every order of the clients' steps. A client that stops for good needs
//! no separate step: nobody waits for another client, so a stopped client leaves the same state as a client that does
//! not go on. May use all of the above.

use stateright::{Model, Property};

use crate::{
    client::Client,
    operation::Operation,
    protocol::{Protocol, Stored},
    transaction::Transaction,
    world::World,
};

pub(crate) const NO_CYCLE: &str = "no node is its own ancestor";
pub(crate) const NO_ORPHAN: &str = "the parent of each node is there, but of one that is being deleted";
pub(crate) const INVARIANT: &str = "each path is what the invariant says";
pub(crate) const NOT_NESTED: &str = "no large move is pending above another one, where it is or where it was";
pub(crate) const CONVERGES: &str = "wherever clients stop, once recover has run all is right and nothing is left";
pub(crate) const QUIET: &str = "without a crash, all is right and nothing is left when all are done";
pub(crate) const ALONE: &str = "each client that is alone gets done";

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The committed nodes.
    world: World,
    clients: Vec<Client>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Takes a snapshot, reads and writes.
    Begin(usize, Transaction),
    Commit(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Trees {
    pub(crate) protocol: Protocol,
    pub(crate) world: World,
    /// The groups of clients that meet: each run takes one of the groups.
    pub(crate) clients: Vec<Vec<Client>>,
}

impl Trees {
    /// Returns whether the world is right; for a tree without paths, only the parents are checked.
    fn is_right(&self, world: &World) -> bool {
        world.has_all_chains() && (self.protocol.stored == Stored::Parent || world.is_right())
    }
}

impl State {
    fn is_done(&self) -> bool {
        self.clients.iter().all(Client::is_done)
    }

    /// Stops all clients. Then recover runs alone.
    fn converges(&self, model: &Trees) -> bool {
        let mut world = self.world.clone();
        Client::new(Operation::Recover).run(&mut world, &model.protocol) && model.is_right(&world)
    }

    fn each_gets_done(&self, protocol: &Protocol) -> bool {
        self.clients.iter().all(|client| client.clone().run(&mut self.world.clone(), protocol))
    }
}

impl Model for Trees {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let start = |clients: &Vec<Client>| State { world: self.world.clone(), clients: clients.clone() };
        self.clients.iter().map(start).collect()
    }

    /// In a cycle, paths would grow for ever: a broken state is not explored further.
    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if !state.world.has_no_cycle() {
            return;
        }
        for (number, client) in state.clients.iter().enumerate() {
            let next = client.next(&state.world, &self.protocol);
            actions.extend(next.into_iter().map(|transaction| Action::Begin(number, transaction)));
            actions.extend(client.open.is_some().then_some(Action::Commit(number)));
        }
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        match action {
            Action::Begin(number, transaction) => state.clients[number].begin(transaction),
            Action::Commit(number) => {
                let committed = state.clients[number].commit(&mut state.world)?;
                state.clients.iter_mut().for_each(|client| client.hear(&committed));
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Trees>> {
        vec![
            Property::always(NO_CYCLE, |_: &Trees, state: &State| state.world.has_no_cycle()),
            Property::always(NO_ORPHAN, |_: &Trees, state: &State| state.world.has_no_orphan_but_marked()),
            Property::always(INVARIANT, |model: &Trees, state: &State| {
                model.protocol.stored == Stored::Parent || state.world.is_as_the_invariant_says()
            }),
            Property::always(NOT_NESTED, |_: &Trees, state: &State| state.world.is_not_nested()),
            Property::always(CONVERGES, |model: &Trees, state: &State| state.converges(model)),
            Property::always(QUIET, |model: &Trees, state: &State| !state.is_done() || model.is_right(&state.world)),
            Property::always(ALONE, |model: &Trees, state: &State| state.each_gets_done(&model.protocol)),
            Property::sometimes("all are done", |_: &Trees, state: &State| state.is_done()),
            Property::sometimes("something is committed", |model: &Trees, state: &State| state.world != model.world),
        ]
    }
}

//! The clients together, as a `stateright` model: every order of steps. A client may stop for good between any two
//! steps: the server ends the transaction, at any later time. May use all of the above, and `promises`.

use stateright::{Model, Property};

use crate::{
    client::{Client, Progress, Server},
    operation::Then,
    promises,
    protocol::Protocol,
    world::{World, delta_bit},
};

pub(crate) const COUNTS: &str = "counts and sums with the deltas are right";
pub(crate) const EXTREMES: &str = "extremes are right, unless a delta says otherwise";
pub(crate) const CONVERGES: &str = "after recover alone all parents are exact and no delta is left";
pub(crate) const WHOLE: &str = "a write is done once and whole, or not at all";
pub(crate) const ANSWERS: &str = "each member gets an answer that is true";
pub(crate) const GOES_ON: &str = "a write goes on while other clients stand still";

pub(crate) const THERE: &str = "no child dangles that may not";

/// All promises.
pub(crate) const ALWAYS: [&str; 7] = [COUNTS, EXTREMES, CONVERGES, WHOLE, ANSWERS, GOES_ON, THERE];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The committed documents.
    pub(crate) world: World,
    pub(crate) clients: Vec<Client>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Step(usize),
    /// A client has stopped for good, and the server ends the transaction now. Until then this client only takes no
    /// steps.
    End(usize),
    /// The next commit has no answer, and has happened or not.
    Lose(usize, bool),
    /// The commit without an answer happens.
    Happen(usize),
    /// The server ends the transaction of a commit that has not happened.
    Abort(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Rollups {
    pub(crate) protocol: Protocol,
    pub(crate) world: World,
    pub(crate) clients: Vec<Client>,
    /// A parent is wrong until a recompute is done.
    pub(crate) is_wrong: bool,
}

impl State {
    pub(crate) fn is_done(&self) -> bool {
        self.clients.iter().all(Client::is_done)
    }

    /// Returns the documents that concurrent transactions write.
    pub(crate) fn written_by_others(&self, number: usize) -> u64 {
        let others = self.clients.iter().enumerate().filter(|(other, _)| *other != number);
        others.filter_map(|(_, client)| client.transaction()).fold(0, |all, of| all | of.written)
    }

    /// Returns the deltas for which an hour may have passed: every transaction that was open at the insert of the delta
    /// has ended.
    fn old(&self) -> u64 {
        let transactions = || self.clients.iter().filter_map(Client::transaction);
        let is_old = |id: u8| transactions().all(|of| of.sees.deltas.iter().any(|delta| delta.id == id));
        self.world.deltas.iter().filter(|delta| is_old(delta.id)).fold(0, |all, delta| all | delta_bit(delta.id))
    }

    /// Does the next step of this client. Returns whether the command ran without a wait in the server.
    pub(crate) fn step(&mut self, number: usize, protocol: &Protocol) -> bool {
        let (others, old) = (self.written_by_others(number), self.old());
        let mut server = Server { world: &mut self.world, others, old, protocol };
        let committed = self.clients[number].step(&mut server);
        self.tell(number, committed.unwrap_or(0));
        committed.is_some()
    }

    fn tell(&mut self, number: usize, committed: u64) {
        let others = self.clients.iter_mut().enumerate().filter(|(other, _)| *other != number);
        others.for_each(|(_, client)| client.hear(committed));
    }
}

impl Model for Rollups {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State { world: self.world.clone(), clients: self.clients.clone() }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (number, client) in state.clients.iter().enumerate().filter(|(_, client)| !client.is_done()) {
            actions.push(Action::Step(number));
            actions.push(Action::End(number));
            match &client.progress {
                Progress::Open { after: Then::Commit { .. }, .. } if client.may_lose => {
                    actions.extend([Action::Lose(number, true), Action::Lose(number, false)]);
                }
                Progress::Asking { transaction: Some(_), .. } => {
                    actions.extend([Action::Happen(number), Action::Abort(number)]);
                }
                _ => {}
            }
        }
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        match action {
            Action::Step(number) => {
                if !state.step(number, &self.protocol) {
                    return None;
                }
            }
            Action::End(number) => state.clients[number].end(),
            Action::Lose(number, happens) => {
                let committed = state.clients[number].lose(happens, &mut state.world);
                state.tell(number, committed);
            }
            Action::Happen(number) => {
                let committed = state.clients[number].happen(&mut state.world);
                state.tell(number, committed);
            }
            Action::Abort(number) => state.clients[number].again(),
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Rollups>> {
        vec![
            Property::always(COUNTS, |model: &Rollups, state: &State| {
                !promises::are_due(model, state) || state.world.counts_are_right()
            }),
            Property::always(EXTREMES, |model: &Rollups, state: &State| {
                !promises::are_due(model, state) || state.world.extremes_are_right()
            }),
            Property::always(CONVERGES, promises::converges),
            Property::always(WHOLE, promises::is_whole),
            Property::always(ANSWERS, promises::answers_are_true),
            Property::always(GOES_ON, promises::goes_on),
            Property::always(THERE, promises::none_dangles),
            Property::sometimes("all are done", |_: &Rollups, state: &State| state.is_done()),
            Property::sometimes("something is committed", |model: &Rollups, state: &State| state.world != model.world),
        ]
    }
}

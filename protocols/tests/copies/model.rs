//! The actors together, as a `stateright` model: every order of the actors' steps, and crashes. May use all of the
//! above.

use stateright::{Model, Property};

use crate::{
    actors::*,
    bulk::*,
    cheaper::*,
    intent::*,
    protocol::Protocol,
    recover::{Recover, RecoverAction},
    world::World,
};

pub(crate) const CONVERGES: &str = "once recover has run, every copy equals its source";
pub(crate) const WITHOUT_RECOVER: &str = "without a crash, every copy equals its source when all are done";
pub(crate) const NEVER_BACK: &str = "an older value is never written over a newer one";
pub(crate) const OWN_SOURCE: &str = "a copy has values of its own source";
pub(crate) const NO_MARKS: &str = "once recover has run, all marks are cleared";
pub(crate) const NO_DEADLOCK: &str = "somebody can go on until recover has run";

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Actor {
    Writer(Writer),
    TransactionWriter(TransactionWriter),
    Inserter(Inserter),
    IntentInserter(IntentInserter),
    Bulk(Bulk),
    Reassigner(Reassigner),
    Deleter(Deleter),
    Recover(Recover),
    TransactionInserter(TransactionInserter),
    RegisterInserter(RegisterInserter),
    LeaseInserter(LeaseInserter),
    /// Done or crashed.
    Gone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Writer(WriterAction),
    TransactionWriter(TransactionWriterAction),
    Inserter(InserterAction),
    IntentInserter(IntentInserterAction),
    Bulk(BulkAction),
    Reassigner(ReassignerAction),
    Deleter(DeleterAction),
    Recover(RecoverAction),
    TransactionInserter(TransactionInserterAction),
    RegisterInserter(RegisterInserterAction),
    LeaseInserter(LeaseInserterAction),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    /// An actor does the next step.
    Step(usize, Step),
    /// A client is gone in the middle of the work.
    Crash(usize),
    /// The server's time of day goes on.
    Tick,
    /// The last recover, after all actors are gone.
    LastRecover(RecoverAction),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) world: World,
    actors: Vec<Actor>,
    crashes: u8,
    /// `None` after the last recover has run to the end.
    last: Option<Recover>,
}

#[derive(Clone, Debug)]
pub(crate) struct Copies {
    pub(crate) protocol: Protocol,
    /// The references of the holders that are there from the start.
    pub(crate) holders: [Option<usize>; 2],
    pub(crate) actors: Vec<Actor>,
    /// How many clients may crash.
    pub(crate) crashes: u8,
    /// Until when the server's time of day may go on at any moment.
    pub(crate) end_of_time: u8,
}

impl Actor {
    fn steps(&self, world: &World, protocol: &Protocol) -> Vec<Step> {
        fn all<A>(actions: Vec<A>, step: fn(A) -> Step) -> Vec<Step> {
            actions.into_iter().map(step).collect()
        }
        match self {
            Actor::Writer(of) => all(of.actions(world, protocol), Step::Writer),
            Actor::TransactionWriter(of) => all(of.actions(world, protocol), Step::TransactionWriter),
            Actor::Inserter(of) => all(of.actions(world), Step::Inserter),
            Actor::IntentInserter(of) => all(of.actions(world), Step::IntentInserter),
            Actor::Bulk(of) => all(of.actions(world), Step::Bulk),
            Actor::Reassigner(of) => all(of.actions(world), Step::Reassigner),
            Actor::Deleter(of) => all(of.actions(world, protocol), Step::Deleter),
            Actor::Recover(of) => all(of.actions(world, protocol), Step::Recover),
            Actor::TransactionInserter(of) => all(of.actions(world), Step::TransactionInserter),
            Actor::RegisterInserter(of) => all(of.actions(world), Step::RegisterInserter),
            Actor::LeaseInserter(of) => all(of.actions(), Step::LeaseInserter),
            Actor::Gone => vec![],
        }
    }

    fn next(self, me: usize, step: Step, world: &mut World, protocol: &Protocol) -> Actor {
        let next = match (self, step) {
            (Actor::Writer(of), Step::Writer(step)) => of.next(step, world, protocol).map(Actor::Writer),
            (Actor::TransactionWriter(of), Step::TransactionWriter(step)) => {
                of.next(step, world, protocol).map(Actor::TransactionWriter)
            }
            (Actor::Inserter(of), Step::Inserter(_)) => of.next(me, world, protocol).map(Actor::Inserter),
            (Actor::IntentInserter(of), Step::IntentInserter(_)) => of.next(world, protocol).map(Actor::IntentInserter),
            (Actor::Bulk(of), Step::Bulk(_)) => of.next(me, world, protocol).map(Actor::Bulk),
            (Actor::Reassigner(of), Step::Reassigner(_)) => of.next(me, world, protocol).map(Actor::Reassigner),
            (Actor::Deleter(of), Step::Deleter(step)) => of.next(step, world, protocol).map(Actor::Deleter),
            (Actor::Recover(of), Step::Recover(step)) => of.next(me, step, world, protocol).map(Actor::Recover),
            (Actor::TransactionInserter(of), _) => of.next(world, protocol).map(Actor::TransactionInserter),
            (Actor::RegisterInserter(of), _) => of.next(me, world, protocol).map(Actor::RegisterInserter),
            (Actor::LeaseInserter(of), _) => of.next(world, protocol).map(Actor::LeaseInserter),
            _ => unreachable!("a step of another actor"),
        };
        next.unwrap_or(Actor::Gone)
    }

    /// Ends the open transaction of a gone client, as the server does.
    fn crash(&self, world: &mut World) {
        match self {
            Actor::TransactionWriter(of) => of.crash(world),
            Actor::TransactionInserter(of) => of.crash(world),
            _ => {}
        }
    }
}

impl State {
    fn all_gone(&self) -> bool {
        self.actors.iter().all(|actor| *actor == Actor::Gone)
    }

    fn recovered(&self) -> bool {
        self.last.is_none()
    }
}

impl Model for Copies {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            world: World::new(self.holders),
            actors: self.actors.clone(),
            crashes: self.crashes,
            last: Some(Recover::START),
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let State { world, actors, crashes, last } = state;
        if world.now < self.end_of_time {
            actions.push(Action::Tick);
        }
        for (number, actor) in actors.iter().enumerate() {
            actions.extend(actor.steps(world, &self.protocol).into_iter().map(|step| Action::Step(number, step)));
            // An actor that never began is a run with fewer actors: separate runs.
            if *crashes > 0 && *actor != Actor::Gone && *actor != self.actors[number] {
                actions.push(Action::Crash(number));
            }
        }
        if state.all_gone()
            && let Some(last) = last
        {
            actions.extend(last.actions(world, &self.protocol).into_iter().map(Action::LastRecover));
        }
        // Time has no end while all wait for a lease to end.
        if actions.is_empty() && self.protocol.lease.is_some() && !state.recovered() {
            actions.push(Action::Tick);
        }
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        let State { world, actors, crashes, last } = &mut state;
        match action {
            Action::Step(number, step) => {
                let actor = std::mem::replace(&mut actors[number], Actor::Gone);
                actors[number] = actor.next(number, step, world, &self.protocol);
            }
            Action::Crash(number) => {
                actors[number].crash(world);
                actors[number] = Actor::Gone;
                *crashes -= 1;
            }
            Action::Tick => world.now += 1,
            Action::LastRecover(step) => {
                *last = last.take().and_then(|last| last.next(actors.len(), step, world, &self.protocol));
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Copies>> {
        vec![
            Property::always(CONVERGES, |_: &Copies, state: &State| !state.recovered() || state.world.in_sync()),
            Property::always(WITHOUT_RECOVER, |model: &Copies, state: &State| {
                state.crashes < model.crashes || !state.all_gone() || state.world.in_sync()
            }),
            Property::always(NEVER_BACK, |_: &Copies, state: &State| !state.world.older_over_newer),
            Property::always(OWN_SOURCE, |_: &Copies, state: &State| state.world.copies_are_of_their_sources()),
            Property::always(NO_MARKS, |_: &Copies, state: &State| !state.recovered() || state.world.has_no_mark()),
            Property::always(NO_DEADLOCK, |model: &Copies, state: &State| {
                let mut actions = Vec::new();
                model.actions(state, &mut actions);
                state.recovered() || !actions.is_empty()
            }),
            Property::sometimes("recover has run", |_: &Copies, state: &State| state.recovered()),
        ]
    }
}

//! The actors together, as a `stateright` model: every order of their steps, and crashes. May use all of the above.

use stateright::{Model, Property};

use crate::{
    actors::*,
    protocol::Protocol,
    recover::Recover,
    world::{Ids, World},
};

pub(crate) const CONVERGES: &str = "once recover has run, every parent is right";
pub(crate) const WITHOUT_RECOVER: &str = "without a crash, every parent is right when all are done";
pub(crate) const MARKED: &str = "a parent that is not right is marked, or a child of it";
pub(crate) const NO_MARKS: &str = "once recover has run, all marks are cleared";
pub(crate) const NO_DEADLOCK: &str = "somebody can go on until recover has run";

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Actor {
    Inserter(Inserter),
    Changer(Changer),
    Mover(Mover),
    Deleter(Deleter),
    Bearer(Bearer),
    Recover(Recover),
    /// Done or crashed.
    Gone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    /// One of the actors does its next step.
    Step(usize, Step),
    /// A client is gone in the middle of its work.
    Crash(usize),
    /// The last recover, once all others are gone.
    LastRecover(Step),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) world: World,
    actors: Vec<Actor>,
    crashes: u8,
    /// `None` once it has run to its end.
    last: Option<Recover>,
}

#[derive(Clone, Debug)]
pub(crate) struct Rollups {
    pub(crate) protocol: Protocol,
    /// The parents of the children that are there from the start.
    pub(crate) children: Vec<Option<usize>>,
    pub(crate) actors: Vec<Actor>,
    /// How many clients may crash.
    pub(crate) crashes: u8,
    /// How many waits for a client that is at work may end too early.
    pub(crate) hasty: u8,
}

impl Actor {
    fn steps(&self, world: &World) -> Vec<Step> {
        match self {
            Actor::Inserter(of) => of.steps(world),
            Actor::Changer(of) => of.steps(world),
            Actor::Mover(of) => of.steps(world),
            Actor::Deleter(of) => of.steps(world),
            Actor::Bearer(of) => of.steps(world),
            Actor::Recover(of) => of.steps(world),
            Actor::Gone => vec![],
        }
    }

    fn next(self, step: Step, world: &mut World, protocol: &Protocol) -> Actor {
        let next = match self {
            Actor::Inserter(of) => of.next(step, world, protocol).map(Actor::Inserter),
            Actor::Changer(of) => of.next(step, world, protocol).map(Actor::Changer),
            Actor::Mover(of) => of.next(step, world, protocol).map(Actor::Mover),
            Actor::Deleter(of) => of.next(step, world, protocol).map(Actor::Deleter),
            Actor::Bearer(of) => of.next(step, world, protocol).map(Actor::Bearer),
            Actor::Recover(of) => of.next(step, world, protocol).map(Actor::Recover),
            Actor::Gone => unreachable!("it has no steps"),
        };
        next.unwrap_or(Actor::Gone)
    }
}

impl State {
    fn all_gone(&self) -> bool {
        self.world.alive == 0
    }

    fn recovered(&self) -> bool {
        self.last.is_none()
    }
}

impl Model for Rollups {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            world: World::new(&self.children, self.actors.len(), self.hasty),
            actors: self.actors.clone(),
            crashes: self.crashes,
            last: Some(Recover::start(Ids::new(self.actors.len()))),
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let State { world, actors, crashes, last } = state;
        for (number, actor) in actors.iter().enumerate() {
            actions.extend(actor.steps(world).into_iter().map(|step| Action::Step(number, step)));
            // One that never began is a run with fewer actors: runs of their own.
            if *crashes > 0 && *actor != Actor::Gone && *actor != self.actors[number] {
                actions.push(Action::Crash(number));
            }
        }
        if state.all_gone()
            && let Some(last) = last
        {
            actions.extend(last.steps(world).into_iter().map(Action::LastRecover));
        }
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        let State { world, actors, crashes, last } = &mut state;
        match action {
            Action::Step(number, step) => {
                let actor = std::mem::replace(&mut actors[number], Actor::Gone);
                actors[number] = actor.next(step, world, &self.protocol);
                if actors[number] == Actor::Gone {
                    world.alive &= !(1 << number);
                }
            }
            Action::Crash(number) => {
                actors[number] = Actor::Gone;
                world.alive &= !(1 << number);
                *crashes -= 1;
            }
            Action::LastRecover(step) => {
                *last = last.take().and_then(|last| last.next(step, world, &self.protocol));
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Rollups>> {
        vec![
            Property::always(CONVERGES, |_: &Rollups, state: &State| !state.recovered() || state.world.in_sync()),
            Property::always(WITHOUT_RECOVER, |model: &Rollups, state: &State| {
                state.crashes < model.crashes || !state.all_gone() || state.world.in_sync()
            }),
            Property::always(MARKED, |_: &Rollups, state: &State| state.world.is_marked_or_right()),
            Property::always(NO_MARKS, |_: &Rollups, state: &State| !state.recovered() || state.world.has_no_mark()),
            Property::always(NO_DEADLOCK, |model: &Rollups, state: &State| {
                let mut actions = Vec::new();
                model.actions(state, &mut actions);
                state.recovered() || !actions.is_empty()
            }),
            Property::sometimes("recover has run", |_: &Rollups, state: &State| state.recovered()),
        ]
    }
}

//! The clients together, as a `stateright` model: every order of the clients' steps. A client that stops for good needs
//! no separate step: nobody waits for another client, so a stopped client leaves the same state as a client that does
//! not go on. May use all of the above.

use stateright::{Model, Property};

use crate::{
    client::{At, Task, Way},
    compact::Compact,
    history::History,
    migrate::{Direction, Migrate},
    protocol::Protocol,
    world::{SIZE, World},
};

pub(crate) const LOST: &str = "a child that was inserted is there, as it was written last, until somebody deletes it";
pub(crate) const BACK: &str = "a child that was deleted is not there";
pub(crate) const ONCE: &str = "a child is in one place";
pub(crate) const SIZES: &str = "no bucket has more children than its size";
pub(crate) const COUNTS: &str = "the count of a bucket is that of its children, and its bounds are around them";
pub(crate) const SORTED: &str = "the children of a bucket are in order";
pub(crate) const ORDER: &str =
    "a child that was there before the insert of another, and comes before it, is read before it";
pub(crate) const PAGES: &str = "the pages are 1 to the last";
pub(crate) const FOLLOWED: &str = "a page with children says that it is followed where a later one has children";
pub(crate) const FULL: &str = "where nobody deletes, all pages but the last are full";
pub(crate) const ANSWERS: &str = "no answer is wrong";
pub(crate) const READ: &str = "a reader reads once what is there all the time";
pub(crate) const CONVERGES: &str = "wherever clients stop, who goes on gets all into its place";
pub(crate) const ALONE: &str = "each client that is alone gets done";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Step(usize, Way),
    /// The server does the late command that a client has sent without an answer.
    Land,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    world: World,
    history: History,
    /// The tasks of the clients; `None` when the task is done.
    clients: Vec<Option<Task>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Buckets {
    pub(crate) protocol: Protocol,
    pub(crate) world: World,
    /// The groups of clients that meet: each run takes one of the groups.
    pub(crate) clients: Vec<Vec<Task>>,
    /// The fault of a push of each client, at most once.
    pub(crate) fault: Option<Way>,
    pub(crate) migrates: Option<Direction>,
    /// True when a client deletes.
    pub(crate) deletes: bool,
    /// True when the start state has a wrong count, an unset `followed`, or a missing page.
    pub(crate) broken: bool,
}

impl Buckets {
    fn at<'a>(&'a self, number: usize, way: Way, world: &'a mut World, history: &'a mut History) -> At<'a> {
        At { number, world, history, protocol: &self.protocol, migrates: self.migrates, way }
    }
}

impl State {
    fn is_done(&self) -> bool {
        self.clients.iter().all(Option::is_none)
    }

    /// Stops all clients. Then a compact, or a migration, runs alone. Returns whether all children have stayed, in
    /// order, and no work is left.
    fn converges(&self, model: &Buckets) -> bool {
        let (mut world, mut history) = (self.world.clone(), self.history.clone());
        let task = match model.migrates {
            None => Task::Compact(Compact::Pour),
            Some(direction) => Task::Migrate(Migrate::new(direction)),
        };
        let done = task.run(&mut model.at(6, Way::Plain, &mut world, &mut history));
        let ended = match model.migrates {
            None => world.is_compact(),
            Some(Direction::Into) => world.linked.is_empty(),
            Some(Direction::Back) => world.in_buckets().next().is_none(),
        };
        let is_right = counts(&world) && world.has_no_gap() && history.is_in_order(&world);
        done && ended && is_right && world.children() == self.world.children()
    }

    fn each_gets_done(&self, model: &Buckets) -> bool {
        self.clients.iter().enumerate().all(|(number, task)| {
            let (mut world, mut history) = (self.world.clone(), self.history.clone());
            let mut at = model.at(number, Way::Plain, &mut world, &mut history);
            task.clone().is_none_or(|task| task.run(&mut at))
        })
    }
}

fn counts(world: &World) -> bool {
    world.buckets.iter().all(|of| {
        let is_within = of.items.iter().all(|child| of.first <= child.id && child.id <= of.last);
        of.count == of.items.len() && is_within
    })
}

impl Model for Buckets {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let state = |clients: &Vec<Task>| State {
            world: self.world.clone(),
            history: History::new(&self.world),
            clients: clients.iter().cloned().map(Some).collect(),
        };
        self.clients.iter().map(state).collect()
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (number, task) in state.clients.iter().enumerate() {
            let ways = task.iter().flat_map(|task| task.ways(self.fault));
            actions.extend(ways.map(|way| Action::Step(number, way)));
        }
        actions.extend(state.world.late.is_some().then_some(Action::Land));
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        match action {
            Action::Step(number, way) => {
                let task = state.clients[number].take()?;
                let mut at = self.at(number, way, &mut state.world, &mut state.history);
                state.clients[number] = task.step(&mut at);
            }
            Action::Land => state.world.land(&self.protocol),
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Buckets>> {
        vec![
            Property::always(LOST, |_: &Buckets, state: &State| state.history.none_is_lost(&state.world)),
            Property::always(BACK, |_: &Buckets, state: &State| state.history.none_is_back(&state.world)),
            Property::always(ONCE, |_: &Buckets, state: &State| {
                state.world.children().windows(2).all(|pair| pair[0].id != pair[1].id)
            }),
            Property::always(SIZES, |_: &Buckets, state: &State| {
                state.world.buckets.iter().all(|of| of.items.len() <= SIZE)
            }),
            Property::always(COUNTS, |model: &Buckets, state: &State| {
                counts(&state.world) || model.broken && !state.is_done()
            }),
            Property::always(SORTED, |_: &Buckets, state: &State| {
                state.world.buckets.iter().all(|of| of.items.is_sorted())
            }),
            Property::always(ORDER, |_: &Buckets, state: &State| state.history.is_in_order(&state.world)),
            Property::always(PAGES, |model: &Buckets, state: &State| {
                state.world.has_no_gap() || model.broken && !state.is_done()
            }),
            Property::always(FOLLOWED, |model: &Buckets, state: &State| {
                state.world.is_followed() || model.broken && !state.is_done()
            }),
            Property::always(FULL, |model: &Buckets, state: &State| model.deletes || state.world.is_compact()),
            Property::always(ANSWERS, |_: &Buckets, state: &State| !state.history.wrong),
            Property::always(READ, |_: &Buckets, state: &State| !state.history.misread),
            Property::always(CONVERGES, |model: &Buckets, state: &State| model.broken || state.converges(model)),
            Property::always(ALONE, |model: &Buckets, state: &State| state.each_gets_done(model)),
            Property::sometimes("all are done", |_: &Buckets, state: &State| state.is_done()),
        ]
    }
}

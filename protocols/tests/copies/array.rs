//! An array of references under one mark, with two pushes at once: a separate model, of one holder with capacity for a
//! reference to each source. The model leaves out everything unrelated to arrays. May use nothing.

use stateright::{Model, Property};

pub(crate) const MARKED: &str = "when all are gone, a mark tells of each copy that is not as its source";
pub(crate) const WITHOUT_A_CRASH: &str = "without a crash, every copy is as its source when all are gone";

/// The way of the look after a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LookAt {
    /// The whole array of the holder with the mark, and all sources in the array.
    Array,
    /// The own reference alone: the copy that the client has pushed under the client's own mark.
    Own,
}

/// A version stands for the values: a copy with the version of the source equals the source.
type Version = u8;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The version of each source, and the actor that marked the source.
    sources: [(Version, Option<usize>); 2],
    /// The copy of each source in the array; `None` before the push.
    array: [Option<Version>; 2],
    /// The actor that marked the holder.
    mark: Option<usize>,
    actors: Vec<Actor>,
    crashes: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Actor {
    Write {
        source: usize,
    },
    Sweep {
        source: usize,
        version: Version,
    },
    ClearSource {
        source: usize,
    },
    Read {
        source: usize,
    },
    Push {
        source: usize,
        version: Version,
    },
    /// Looks at the own reference, with the pushed version.
    LookAtOwn {
        source: usize,
        version: Version,
    },
    LookAtArray,
    /// Reads the sources: `left` are still to read, `read` are the sources with the versions read so far.
    ReadSources {
        left: Vec<usize>,
        read: Vec<(usize, Version)>,
    },
    Repair {
        left: Vec<(usize, Version)>,
    },
    ClearHolder,
    /// Done or crashed.
    Gone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Step(usize),
    Crash(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) look_at: LookAt,
    pub(crate) actors: Vec<Actor>,
    pub(crate) crashes: u8,
}

impl State {
    /// Does the actor's next command, and chooses the actor's next state.
    fn step(&mut self, me: usize, look_at: LookAt) {
        let next = match self.actors[me].clone() {
            Actor::Write { source } => {
                let version = self.sources[source].0 + 1;
                self.sources[source] = (version, Some(me));
                Actor::Sweep { source, version }
            }
            Actor::Sweep { source, version } => {
                self.propagate(source, version);
                Actor::ClearSource { source }
            }
            Actor::ClearSource { source } => {
                let (_, mark) = &mut self.sources[source];
                *mark = mark.filter(|mark| *mark != me);
                Actor::Gone
            }
            Actor::Read { source } => Actor::Push { source, version: self.sources[source].0 },
            Actor::Push { source, version } => {
                self.array[source] = Some(version);
                self.mark = Some(me);
                match look_at {
                    LookAt::Array => Actor::LookAtArray,
                    LookAt::Own => Actor::LookAtOwn { source, version },
                }
            }
            Actor::LookAtOwn { source, version } => match self.sources[source].0 {
                now if now != version => Actor::Repair { left: vec![(source, now)] },
                _ => Actor::ClearHolder,
            },
            // The client that set the other mark does the look.
            Actor::LookAtArray if self.mark != Some(me) => Actor::Gone,
            Actor::LookAtArray => {
                let left = (0..2).filter(|source| self.array[*source].is_some()).collect();
                Actor::ReadSources { left, read: Vec::new() }
            }
            Actor::ReadSources { mut left, mut read } => match left.pop() {
                Some(source) => {
                    read.push((source, self.sources[source].0));
                    Actor::ReadSources { left, read }
                }
                None => Actor::Repair { left: read },
            },
            Actor::Repair { mut left } => match left.pop() {
                Some((source, version)) => {
                    if look_at == LookAt::Array || self.mark == Some(me) {
                        self.propagate(source, version);
                    }
                    Actor::Repair { left }
                }
                None => Actor::ClearHolder,
            },
            Actor::ClearHolder => {
                self.mark = self.mark.filter(|mark| *mark != me);
                Actor::Gone
            }
            Actor::Gone => Actor::Gone,
        };
        self.actors[me] = next;
    }

    /// Propagates a version: an older copy is overwritten, a newer copy is not.
    fn propagate(&mut self, source: usize, version: Version) {
        if let Some(copy) = &mut self.array[source] {
            *copy = version.max(*copy);
        }
    }

    fn stale(&self) -> impl Iterator<Item = usize> {
        (0..2).filter(|source| self.array[*source].is_some_and(|copy| copy != self.sources[*source].0))
    }

    fn are_all_gone(&self) -> bool {
        self.actors.iter().all(|actor| *actor == Actor::Gone)
    }
}

impl Model for Array {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let (sources, actors) = ([(1, None); 2], self.actors.clone());
        vec![State { sources, array: [None; 2], mark: None, actors, crashes: 0 }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for at in (0..state.actors.len()).filter(|at| state.actors[*at] != Actor::Gone) {
            actions.push(Action::Step(at));
            if state.crashes < self.crashes {
                actions.push(Action::Crash(at));
            }
        }
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        match action {
            Action::Step(at) => state.step(at, self.look_at),
            Action::Crash(at) => {
                state.actors[at] = Actor::Gone;
                state.crashes += 1;
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Array>> {
        vec![
            Property::always(MARKED, |_: &Array, state: &State| {
                !state.are_all_gone()
                    || state.mark.is_some()
                    || state.stale().all(|source| state.sources[source].1.is_some())
            }),
            Property::always(WITHOUT_A_CRASH, |_: &Array, state: &State| {
                !state.are_all_gone() || state.crashes > 0 || state.stale().count() == 0
            }),
            Property::sometimes("all are gone", |_: &Array, state: &State| state.are_all_gone()),
        ]
    }
}

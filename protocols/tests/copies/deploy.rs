//! Two versions of an application at once: clients of the old version copy a name, clients of the new version a name
//! and a city. A separate model, of one source and two holders: one holder is stored, and a second holder may be
//! inserted. May use nothing.

use stateright::{Model, Property};

pub(crate) const RIGHT: &str = "when all are gone, recover has run and then the backfill, every copy is as its source";

/// The fields that a client copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fields {
    Name,
    NameAndCity,
}

/// The field of the source that a write changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Change {
    Name,
    City,
}

/// The way to find the writes of old clients in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finds {
    /// The field set stored beside the copies.
    FieldSet,
    /// A missing version beside the copy: the way before field sets were stored.
    Unversioned,
    /// The values of the copies: `repair`.
    Values,
}

/// The name and the city. Each write has a new value.
type Values = [u8; 2];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Copy {
    values: Values,
    version: u8,
    fields: Fields,
    mark: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    values: Values,
    version: u8,
    mark: Option<usize>,
    holders: [Option<Copy>; 2],
    last_value: u8,
    actors: Vec<Actor>,
    crashes: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Write(Change),
    Sweep {
        values: Values,
        version: u8,
    },
    ClearSource,
    Read,
    Insert {
        values: Values,
        version: u8,
    },
    Look {
        version: u8,
    },
    Correct {
        values: Values,
        version: u8,
    },
    ClearHolder,
    /// Recover: touches the source, if the source is marked.
    Touch,
    /// Done or crashed.
    Gone,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Actor {
    pub(crate) fields: Fields,
    pub(crate) step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Step(usize),
    Crash(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Deploy {
    pub(crate) finds: Finds,
    /// True when a backfill gives the source a new version, if the holders have the source's version already.
    pub(crate) renews: bool,
    pub(crate) actors: Vec<Actor>,
    pub(crate) crashes: u8,
}

const CITY: usize = 1;

impl Copy {
    /// Overwrites a copy with the guard: only a smaller version is overwritten.
    fn overwrite(&mut self, fields: Fields, values: Values, version: u8) {
        if self.version < version {
            self.fill(fields, values, version);
        }
    }

    /// Writes the client's own fields: the remaining fields stay.
    fn fill(&mut self, fields: Fields, values: Values, version: u8) {
        self.values[0] = values[0];
        if fields == Fields::NameAndCity {
            self.values[CITY] = values[CITY];
        }
        (self.version, self.fields) = (version, fields);
    }
}

impl State {
    fn step(&mut self, me: usize) {
        let Actor { fields, step } = self.actors[me].clone();
        let next = match step {
            Step::Write(change) => {
                self.last_value += 1;
                self.values[change as usize] = self.last_value;
                if change == Change::City && fields == Fields::Name {
                    // No field that this client copies: neither a version nor a mark.
                    Step::Gone
                } else {
                    self.touch(me)
                }
            }
            Step::Touch if self.mark.is_some() => self.touch(me),
            Step::Touch => Step::Gone,
            Step::Sweep { values, version } => {
                self.holders.iter_mut().flatten().for_each(|copy| copy.overwrite(fields, values, version));
                Step::ClearSource
            }
            Step::ClearSource => {
                self.mark = self.mark.filter(|mark| *mark != me);
                Step::Gone
            }
            Step::Read => Step::Insert { values: self.values, version: self.version },
            Step::Insert { values, version } => {
                let mut copy = Copy { values: [0; 2], version, fields, mark: Some(me) };
                copy.fill(fields, values, version);
                self.holders[1] = Some(copy);
                Step::Look { version }
            }
            Step::Look { version } if version == self.version => Step::ClearHolder,
            Step::Look { .. } => Step::Correct { values: self.values, version: self.version },
            Step::Correct { values, version } => {
                let own = self.holders[1].as_mut().filter(|copy| copy.mark == Some(me));
                if let Some(copy) = own {
                    copy.overwrite(fields, values, version);
                }
                Step::ClearHolder
            }
            Step::ClearHolder => {
                let own = self.holders[1].as_mut().filter(|copy| copy.mark == Some(me));
                if let Some(copy) = own {
                    copy.mark = None;
                }
                Step::Gone
            }
            Step::Gone => Step::Gone,
        };
        self.actors[me].step = next;
    }

    /// Sets a new version and the own mark.
    fn touch(&mut self, me: usize) -> Step {
        self.version += 1;
        self.mark = Some(me);
        Step::Sweep { values: self.values, version: self.version }
    }

    fn are_all_gone(&self) -> bool {
        self.actors.iter().all(|actor| actor.step == Step::Gone)
    }

    /// Returns the state after `recover` and then the backfill, both of the new version and alone.
    fn deployed(&self, finds: Finds, renews: bool) -> State {
        let mut end = self.clone();
        if end.mark.take().is_some() {
            end.version += 1;
            end.sweep();
        }
        if end.holders.iter().flatten().any(|copy| copy.mark.is_some()) {
            end.sweep();
        }
        let (values, version) = (end.values, end.version);
        let is_found = |copy: &&Copy| match finds {
            Finds::FieldSet => copy.fields != Fields::NameAndCity,
            Finds::Unversioned => false,
            Finds::Values => copy.values != values,
        };
        let found: Vec<&Copy> = end.holders.iter().flatten().filter(is_found).collect();
        if found.is_empty() {
            return end;
        }
        if renews && found.iter().any(|copy| copy.version >= version) {
            end.version += 1;
        }
        end.sweep();
        end
    }

    fn sweep(&mut self) {
        let (values, version) = (self.values, self.version);
        self.holders.iter_mut().flatten().for_each(|copy| copy.overwrite(Fields::NameAndCity, values, version));
    }

    fn is_right(&self) -> bool {
        self.holders.iter().flatten().all(|copy| copy.values == self.values)
    }
}

impl Model for Deploy {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        // The state after the old version: no city in the holder.
        let there = Copy { values: [1, 0], version: 1, fields: Fields::Name, mark: None };
        let (values, actors) = ([1, 1], self.actors.clone());
        vec![State { values, version: 1, mark: None, holders: [Some(there), None], last_value: 1, actors, crashes: 0 }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for at in (0..state.actors.len()).filter(|at| state.actors[*at].step != Step::Gone) {
            actions.push(Action::Step(at));
            if state.crashes < self.crashes {
                actions.push(Action::Crash(at));
            }
        }
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        match action {
            Action::Step(at) => state.step(at),
            Action::Crash(at) => {
                state.actors[at].step = Step::Gone;
                state.crashes += 1;
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Deploy>> {
        vec![
            Property::always(RIGHT, |deploy: &Deploy, state: &State| {
                !state.are_all_gone() || state.deployed(deploy.finds, deploy.renews).is_right()
            }),
            Property::sometimes("all are gone", |_: &Deploy, state: &State| state.are_all_gone()),
        ]
    }
}

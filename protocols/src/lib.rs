//! Explores a model: in every order of steps, or until a property breaks. The models of the protocols, in `tests`,
//! share the crate. The crate is a separate package, because the package is compiled with optimisations: millions of
//! states take seconds.

use std::{fmt::Debug, hash::Hash};

use stateright::{Checker, HasDiscoveries, Model};

/// The explorations of a model.
pub trait Explore: Model {
    /// Explores every order: all properties hold. `states`: the number of states, which the table in the document
    /// repeats.
    #[track_caller]
    fn holds(self, states: usize);

    /// Explores until this property breaks, and prints the shortest path to the broken state.
    fn breaks(self, property: &'static str);
}

impl<M> Explore for M
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Debug + PartialEq + Hash + Send + Sync + 'static,
    M::Action: Clone + Debug + PartialEq,
{
    fn holds(self, states: usize) {
        let run = self.checker().spawn_bfs().join();
        run.assert_properties();
        assert_eq!(run.unique_state_count(), states, "the model has changed: the document's table too");
    }

    fn breaks(self, property: &'static str) {
        let only = HasDiscoveries::AnyOf([property].into_iter().collect());
        let run = self.checker().finish_when(only).spawn_bfs().join();
        let found = run.discovery(property);
        let path = found.unwrap_or_else(|| panic!("no counterexample in {} states", run.unique_state_count()));
        println!("after {} states:", run.unique_state_count());
        for action in path.into_actions() {
            println!("  {action:?}");
        }
    }
}

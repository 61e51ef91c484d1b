//! Assigns children to many parents.

use hashbrown::{HashMap, hash_map::Entry};
use mongodb::bson::Bson;

use crate::{join::Spans, key::Key};

/// The children of each parent, in the order of insertion. Each child has a number.
#[derive(Default)]
pub(crate) struct Groups {
    parents: HashMap<Key, Vec<u32>>,
    count: u32,
}

impl Groups {
    /// Makes empty groups, and returns the distinct `_id`s of the parents.
    pub(crate) fn new(mut parents: Vec<Bson>) -> (Self, Vec<Bson>) {
        let mut groups = Groups::default();
        parents.retain(|id| groups.is_new(id));
        (groups, parents)
    }

    fn is_new(&mut self, parent: &Bson) -> bool {
        match self.parents.entry(Key::of(parent)) {
            Entry::Occupied(_) => false,
            Entry::Vacant(new) => {
                new.insert(Vec::new());
                true
            }
        }
    }

    /// Adds the next child to these parents; ignores parents that were not requested.
    pub(crate) fn add(&mut self, parents: &[Key]) {
        let at = self.count;
        self.count += 1;
        for parent in parents {
            if let Some(children) = self.parents.get_mut(parent)
                && children.last() != Some(&at)
            {
                children.push(at);
            }
        }
    }

    /// Returns the numbers of the children of the first parent, then of the second parent, and so on.
    pub(crate) fn into_spans(self) -> Spans {
        let mut spans = Spans::default();
        for (parent, children) in self.parents {
            spans.add(parent, children);
        }
        spans
    }
}

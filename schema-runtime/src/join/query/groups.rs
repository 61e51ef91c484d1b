//! Which children belong to which of many parents.

use hashbrown::{HashMap, hash_map::Entry};
use mongodb::bson::Bson;

use crate::{
    error::Result,
    join::{Loaded, Name, Slot},
    key::Key,
    model::Model,
};

/// Children by their parents, in the order in which they are added.
pub(crate) struct Groups<T, C: Model> {
    parents: HashMap<Key, Vec<u32>>,
    slots: Vec<Slot<T, C>>,
}

impl<T, C: Model> Groups<T, C> {
    /// No children yet, and the distinct `_id`s of the parents.
    pub(crate) fn new<'p, P: Model>(parents: impl IntoIterator<Item = &'p P>) -> Result<(Self, Vec<Bson>)> {
        use crate::field::Field;
        let mut groups = Groups { parents: HashMap::new(), slots: Vec::new() };
        let mut ids = Vec::new();
        for parent in parents {
            let id = parent.id().to_bson()?;
            if let Entry::Vacant(new) = groups.parents.entry(Key::of(&id)) {
                new.insert(Vec::new());
                ids.push(id);
            }
        }
        Ok((groups, ids))
    }

    /// Adds a child to these parents; those that were not asked for are passed over.
    pub(crate) fn add(&mut self, parents: Vec<Key>, child: Result<T>) {
        let at = self.slots.len() as u32;
        self.slots.push(Slot::of(child));
        for parent in parents {
            if let Some(children) = self.parents.get_mut(&parent)
                && children.last() != Some(&at)
            {
                children.push(at);
            }
        }
    }

    pub(crate) fn into_loaded<P: Model>(self, name: Name) -> Loaded<P, C, T> {
        let mut order = Vec::with_capacity(self.slots.len());
        let mut spans = HashMap::with_capacity(self.parents.len());
        for (parent, children) in self.parents {
            let start = order.len();
            order.extend(children);
            spans.insert(parent, (start, order.len()));
        }
        Loaded::new(name, self.slots, order, spans)
    }
}

//! Which children are asked for, and where each belongs.

use hashbrown::{HashMap, hash_map::Entry};
use mongodb::bson::Bson;

use crate::{
    error::Result,
    field::Field,
    join::{Slot, Visit},
    key::Key,
    model::Model,
};

/// The references of some parents: each distinct one once, and their order.
pub(crate) struct Wanted<'p, C: Model> {
    ids: Vec<&'p C::Id>,
    positions: HashMap<Key, u32>,
    order: Vec<u32>,
}

impl<'p, C: Model> Wanted<'p, C> {
    pub(crate) fn none() -> Self {
        Wanted { ids: Vec::new(), positions: HashMap::new(), order: Vec::new() }
    }

    /// The references of one parent.
    pub(crate) fn of<P>(parent: &'p P, visit: Visit<P, C>) -> Result<Self> {
        let mut wanted = Wanted::none();
        wanted.add(parent, visit)?;
        Ok(wanted)
    }

    /// Adds the references of a parent, and gives where they begin and end in the order.
    pub(crate) fn add<P>(&mut self, parent: &'p P, visit: Visit<P, C>) -> Result<(usize, usize)> {
        let start = self.order.len();
        let mut outcome = Ok(());
        visit(parent, &mut |id| {
            if outcome.is_ok() {
                outcome = self.push(id);
            }
        });
        outcome?;
        Ok((start, self.order.len()))
    }

    fn push(&mut self, id: &'p C::Id) -> Result<()> {
        let next = self.ids.len() as u32;
        let at = match self.positions.entry(Key::of_id(id)?) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.ids.push(id);
                *new.insert(next)
            }
        };
        self.order.push(at);
        Ok(())
    }

    /// The distinct `_id`s, to be asked for.
    pub(crate) fn values(&self) -> Result<Vec<Bson>> {
        self.ids.iter().map(|id| id.to_bson()).collect()
    }

    /// Every reference is missing, until its child is put in its place.
    pub(crate) fn into_places<T>(self) -> Places<T, C> {
        let slots = self.ids.into_iter().map(|id| Slot::Missing(id.clone())).collect();
        Places { positions: self.positions, slots, order: self.order }
    }
}

/// A place for each distinct reference.
pub(crate) struct Places<T, C: Model> {
    positions: HashMap<Key, u32>,
    slots: Vec<Slot<T, C>>,
    order: Vec<u32>,
}

impl<T, C: Model> Places<T, C> {
    /// Puts a child in its place; one that was not asked for is passed over.
    pub(crate) fn put(&mut self, key: &Key, child: Result<T>) {
        if let Some(at) = self.positions.get(key) {
            self.slots[*at as usize] = Slot::of(child);
        }
    }

    /// What became of each distinct reference, and the order.
    pub(crate) fn into_parts(self) -> (Vec<Slot<T, C>>, Vec<u32>) {
        (self.slots, self.order)
    }
}

//! The wanted children, and the place of each child.

use hashbrown::{HashMap, hash_map::Entry};
use mongodb::bson::Bson;

use crate::{
    error::Result,
    field::Field,
    join::{Slot, Visit},
    key::Key,
    model::Model,
};

/// The references of some parents: each distinct reference once, and the order of the references.
#[derive(Default)]
pub(crate) struct Wanted {
    /// The distinct `_id`s to request.
    pub(crate) ids: Vec<Bson>,
    positions: HashMap<Key, u32>,
    order: Vec<u32>,
}

impl Wanted {
    /// Collects the references of one parent.
    pub(crate) fn of<P, C: Model>(parent: &P, visit: Visit<P, C>) -> Result<Self> {
        let mut wanted = Wanted::default();
        wanted.add::<P, C>(parent, visit, &mut |_| {})?;
        Ok(wanted)
    }

    /// Adds the references of a parent, calls `new` with each new reference, and returns the start and the end of the
    /// references in the order.
    fn add<'p, P, C: Model>(
        &mut self,
        parent: &'p P,
        visit: Visit<P, C>,
        new: &mut dyn FnMut(&'p C::Id),
    ) -> Result<(usize, usize)> {
        let start = self.order.len();
        let mut push = |id: &'p C::Id| -> Result<()> {
            if self.is_new(Key::of_id(id)?) {
                self.ids.push(id.to_bson()?);
                new(id);
            }
            Ok(())
        };
        let mut outcome = Ok(());
        visit(parent, &mut |id| {
            if outcome.is_ok() {
                outcome = push(id);
            }
        });
        outcome?;
        Ok((start, self.order.len()))
    }

    /// Adds a reference to the order. Returns whether the reference is new.
    fn is_new(&mut self, key: Key) -> bool {
        let next = self.positions.len() as u32;
        let (at, is_new) = match self.positions.entry(key) {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(new) => (*new.insert(next), true),
        };
        self.order.push(at);
        is_new
    }

    fn position(&self, key: &Key) -> Option<usize> {
        self.positions.get(key).map(|at| *at as usize)
    }
}

/// A place for each distinct reference; a place counts as missing until the child arrives.
pub(crate) struct Places<T, C: Model> {
    wanted: Wanted,
    slots: Vec<Slot<T, C>>,
}

impl<T, C: Model> Places<T, C> {
    pub(crate) fn none() -> Self {
        Places { wanted: Wanted::default(), slots: Vec::new() }
    }

    /// Makes the places of one parent.
    pub(crate) fn of<P>(parent: &P, visit: Visit<P, C>) -> Result<Self> {
        let mut places = Places::none();
        places.add(parent, visit)?;
        Ok(places)
    }

    /// Adds the places of a parent, and returns the start and the end of the references of the parent in the order.
    pub(crate) fn add<P>(&mut self, parent: &P, visit: Visit<P, C>) -> Result<(usize, usize)> {
        let slots = &mut self.slots;
        self.wanted.add::<P, C>(parent, visit, &mut |id| slots.push(Slot::of_reference(id.clone())))
    }

    /// Returns the distinct `_id`s to request.
    pub(crate) fn take_ids(&mut self) -> Vec<Bson> {
        std::mem::take(&mut self.wanted.ids)
    }

    /// Puts a child into its place and returns the place; ignores a child that was not requested and returns `None`.
    pub(crate) fn put(&mut self, key: &Key, child: Result<T>) -> Option<u32> {
        let at = self.wanted.position(key)?;
        self.slots[at].put(child);
        Some(at as u32)
    }

    /// Returns the outcome of each distinct reference, and the order. With `put`, the order is the order of arrival,
    /// followed by the missing references; without `put`, the order of the references. `is_partial`: without the
    /// missing references.
    pub(crate) fn into_arranged(self, put: Option<Vec<u32>>, is_partial: bool) -> (Vec<Slot<T, C>>, Vec<u32>) {
        let is_missing = |at: &u32| self.slots[*at as usize].missing().is_some();
        let mut order = match put {
            Some(put) => put.into_iter().chain((0..self.slots.len() as u32).filter(is_missing)).collect(),
            None => self.wanted.order,
        };
        if is_partial {
            order.retain(|at| !is_missing(at));
        }
        (self.slots, order)
    }

    /// Returns the outcome of each distinct reference, and the order.
    pub(crate) fn into_parts(self) -> (Vec<Slot<T, C>>, Vec<u32>) {
        (self.slots, self.wanted.order)
    }
}

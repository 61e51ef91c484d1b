//! Which children are asked for, and where each belongs.

use hashbrown::{HashMap, hash_map::Entry};
use mongodb::bson::Bson;

use crate::{
    bounds::Field,
    error::Result,
    join::{Slot, Visit},
    key::Key,
    model::Model,
};

/// The references of some parents: each distinct one once, and their order.
pub(crate) struct Wanted<'p, C: Model> {
    ids: Vec<&'p C::Id>,
    values: Vec<Bson>,
    slots: HashMap<Key, u32>,
    order: Vec<u32>,
}

impl<'p, C: Model> Wanted<'p, C> {
    pub(crate) fn none() -> Self {
        Wanted { ids: Vec::new(), values: Vec::new(), slots: HashMap::new(), order: Vec::new() }
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
        let value = id.to_bson()?;
        let next = self.ids.len() as u32;
        let at = match self.slots.entry(Key::of(&value)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.ids.push(id);
                self.values.push(value);
                *new.insert(next)
            }
        };
        self.order.push(at);
        Ok(())
    }

    /// The distinct `_id`s, to be asked for.
    pub(crate) fn take_values(&mut self) -> Vec<Bson> {
        std::mem::take(&mut self.values)
    }

    /// What became of each distinct reference, and the order.
    pub(crate) fn fill<T>(self, children: impl IntoIterator<Item = (Key, Result<T>)>) -> (Vec<Slot<T, C>>, Vec<u32>) {
        let mut found: Vec<Option<Slot<T, C>>> = self.ids.iter().map(|_| None).collect();
        for (key, child) in children {
            if let Some(at) = self.slots.get(&key) {
                found[*at as usize] = Some(Slot::of(child));
            }
        }
        let slots = found.into_iter().zip(self.ids).map(|(slot, id)| slot.unwrap_or_else(|| Slot::Missing(id.clone())));
        (slots.collect(), self.order)
    }
}

//! The children of one parent, owned.

use std::fmt;

use super::{Found, JoinEntry, Name, Pair, Slot, View};
use crate::{
    bounds::Reference,
    error::{Error, Result},
    model::Model,
};

/// The children of one parent, in order and with repeats. Nothing is dropped in silence: every reference is in exactly one
/// of [`iter`](Joined::iter), [`missing`](Joined::missing) and [`failed`](Joined::failed). A lookup that is asked for some of them
/// ([`matching`](crate::relation::Lookup::matching), [`limit`](crate::relation::Lookup::limit)) has those that it was asked for.
///
/// `T` is what the documents were read into and `C` their model; they differ after a `select`.
pub struct Joined<T, C: Model = T> {
    name: Name,
    /// Each distinct reference once, by first appearance.
    slots: Vec<Slot<T, C>>,
    order: Vec<u32>,
}

impl<T, C: Model> Joined<T, C> {
    pub(crate) fn new(name: Name, slots: Vec<Slot<T, C>>, order: Vec<u32>) -> Self {
        Joined { name, slots, order }
    }

    /// The answer of a query, in its order.
    pub(crate) fn of_query(name: Name, children: Vec<Result<T>>) -> Self {
        let slots: Vec<Slot<T, C>> = children.into_iter().map(Slot::of_answer).collect();
        let order = (0..slots.len() as u32).collect();
        Joined { name, slots, order }
    }

    /// The same, borrowed.
    pub fn view(&self) -> View<'_, T, C> {
        View::new(self.name, &self.slots, Some(&self.order))
    }

    /// The children that were found, in order, with repeats.
    pub fn iter(&self) -> Found<'_, T, C> {
        self.view().iter()
    }

    /// What became of each reference, in order, with repeats.
    pub fn entries(&self) -> impl Iterator<Item = JoinEntry<'_, T, C>> {
        self.view().entries()
    }

    /// Each of these elements with what became of its reference: see [`View::pairs`].
    ///
    /// # Errors
    /// As [`View::pairs`].
    pub fn pairs<'e, R>(&self, elements: impl IntoIterator<Item = &'e R>) -> Result<Vec<Pair<'_, 'e, R, T, C>>>
    where
        R: Reference<Target = C>,
    {
        self.view().pairs(elements)
    }

    /// How many children [`iter`](Joined::iter) gives.
    pub fn len(&self) -> usize {
        self.view().len()
    }

    /// Whether [`iter`](Joined::iter) gives none.
    pub fn is_empty(&self) -> bool {
        self.view().is_empty()
    }

    /// The first child.
    pub fn first(&self) -> Option<&T> {
        self.view().first()
    }

    /// The references that have no document, in order, with repeats.
    pub fn missing(&self) -> impl Iterator<Item = &C::Id> {
        self.view().missing()
    }

    /// Why the documents that do not fit do not, in order, with repeats; each names the collection, the `_id` and the path.
    pub fn failed(&self) -> impl Iterator<Item = &Error> {
        self.view().failed()
    }

    /// Whether nothing is missing and nothing failed.
    pub fn is_complete(&self) -> bool {
        self.view().is_complete()
    }

    /// What became of the first document.
    pub(crate) fn into_first(self) -> Option<Result<T>> {
        self.slots.into_iter().find_map(Slot::into_read)
    }

    /// The children, if nothing is missing and nothing failed.
    ///
    /// # Errors
    /// [`Error::Incomplete`] with the counts. What was found is then gone: look at [`missing`](Joined::missing) and
    /// [`failed`](Joined::failed) first where it is still of use.
    pub fn complete(self) -> Result<CompleteJoin<T>> {
        self.view().complete()?;
        let children = self.slots.into_iter().filter_map(Slot::into_found);
        Ok(CompleteJoin { distinct: children.collect(), order: self.order })
    }

    /// What was found, in order; only repeats are cloned.
    pub(super) fn into_found(self) -> Vec<T>
    where
        T: Clone,
    {
        let mut uses = vec![0_u32; self.slots.len()];
        self.order.iter().for_each(|at| uses[*at as usize] += 1);
        let mut found: Vec<Option<T>> = self.slots.into_iter().map(Slot::into_found).collect();
        let take = |at: &u32| {
            let at = *at as usize;
            uses[at] -= 1;
            if uses[at] == 0 { found[at].take() } else { found[at].clone() }
        };
        self.order.iter().filter_map(take).collect()
    }
}

/// The children of one parent, of which none is missing and none failed.
#[derive(Debug)]
pub struct CompleteJoin<T> {
    distinct: Vec<T>,
    order: Vec<u32>,
}

impl<T> CompleteJoin<T> {
    /// The children, in order, with repeats.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.order.iter().map(|at| &self.distinct[*at as usize])
    }

    /// How many there are, with repeats.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The children, each once, by first appearance.
    pub fn into_distinct(self) -> Vec<T> {
        self.distinct
    }

    /// The children, in order; only repeats are cloned.
    pub fn into_vec(self) -> Vec<T>
    where
        T: Clone,
    {
        // A reference that is not a repeat takes the next new position, so without repeats the order is 0, 1, 2, ..
        if self.order.len() == self.distinct.len() {
            return self.distinct;
        }
        self.order.iter().map(|at| self.distinct[*at as usize].clone()).collect()
    }
}

impl<T: fmt::Debug, C: Model> fmt::Debug for Joined<T, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(formatter)
    }
}

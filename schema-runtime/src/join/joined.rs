//! The children of one parent, owned.

use std::fmt;

use super::{Found, JoinEntry, Name, Pair, Slot, View};
use crate::{
    bounds::Reference,
    error::{Error, Result},
    model::Model,
};

/// The children of one parent, in order and with repeats. Nothing is dropped silently: every reference is in exactly
/// one of [`iter`](Joined::iter), [`missing`](Joined::missing) and [`failed`](Joined::failed). A lookup restricted by
/// [`matching`](crate::relation::Lookup::matching) or [`limit`](crate::relation::Lookup::limit) has only the requested
/// children.
///
/// `T` is the type that the documents were read into, and `C` the model of the documents; `T` and `C` differ after a
/// `select`.
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

    /// Makes the result of a query, in the order of the query.
    pub(crate) fn of_query(name: Name, children: Vec<Result<T>>) -> Self {
        let slots: Vec<Slot<T, C>> = children.into_iter().map(Slot::of_answer).collect();
        let order = (0..slots.len() as u32).collect();
        Joined { name, slots, order }
    }

    /// Returns a borrowed view of the children.
    pub fn view(&self) -> View<'_, T, C> {
        View::new(self.name, &self.slots, Some(&self.order))
    }

    /// Iterates over the found children, in order, with repeats.
    pub fn iter(&self) -> Found<'_, T, C> {
        self.view().iter()
    }

    /// Iterates over the outcome of each reference, in order, with repeats.
    pub fn entries(&self) -> impl Iterator<Item = JoinEntry<'_, T, C>> {
        self.view().entries()
    }

    /// Returns each element with the outcome of the reference of the element: see [`View::pairs`].
    ///
    /// # Errors
    /// As [`View::pairs`].
    pub fn pairs<'e, R>(&self, elements: impl IntoIterator<Item = &'e R>) -> Result<Vec<Pair<'_, 'e, R, T, C>>>
    where
        R: Reference<Target = C>,
    {
        self.view().pairs(elements)
    }

    /// Returns the number of children in [`iter`](Joined::iter).
    pub fn len(&self) -> usize {
        self.view().len()
    }

    /// Returns whether [`iter`](Joined::iter) is empty.
    pub fn is_empty(&self) -> bool {
        self.view().is_empty()
    }

    /// Returns the first child.
    pub fn first(&self) -> Option<&T> {
        self.view().first()
    }

    /// Iterates over the references without a document, in order, with repeats.
    pub fn missing(&self) -> impl Iterator<Item = &C::Id> {
        self.view().missing()
    }

    /// Iterates over the errors of the documents that do not fit, in order, with repeats; each error names the
    /// collection, the `_id` and the path.
    pub fn failed(&self) -> impl Iterator<Item = &Error> {
        self.view().failed()
    }

    /// Returns whether nothing is missing and nothing failed.
    pub fn is_complete(&self) -> bool {
        self.view().is_complete()
    }

    /// Returns the first document that was read, or its error.
    pub(crate) fn into_first(self) -> Option<Result<T>> {
        self.slots.into_iter().find_map(Slot::into_read)
    }

    /// Returns the children, if nothing is missing and nothing failed.
    ///
    /// # Errors
    /// [`Error::Incomplete`] with the counts. The error drops the found children: look at [`missing`](Joined::missing)
    /// and [`failed`](Joined::failed) first to keep the found children.
    pub fn complete(self) -> Result<CompleteJoin<T>> {
        self.view().complete()?;
        let children = self.slots.into_iter().filter_map(Slot::into_found);
        Ok(CompleteJoin { distinct: children.collect(), order: self.order })
    }

    /// Returns the found children, in order; only repeats are cloned.
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

/// The children of one parent, without missing and failed children.
#[derive(Debug)]
pub struct CompleteJoin<T> {
    distinct: Vec<T>,
    order: Vec<u32>,
}

impl<T> CompleteJoin<T> {
    /// Iterates over the children, in order, with repeats.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.order.iter().map(|at| &self.distinct[*at as usize])
    }

    /// Returns the number of children, with repeats.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns whether the parent has no children.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Returns the children, each child once, by first appearance.
    pub fn into_distinct(self) -> Vec<T> {
        self.distinct
    }

    /// Returns the children, in order; only repeats are cloned.
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

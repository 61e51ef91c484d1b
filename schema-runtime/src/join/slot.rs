//! The outcome of each reference, and a borrowed view of the children of one parent.

use std::{fmt, slice};

use derive_where::derive_where;

use crate::{
    error::{Error, Result},
    field::Field,
    join::Name,
    model::Model,
};

/// One distinct child.
pub(crate) enum Slot<T, C: Model> {
    /// A reference, and the referred child; `None` until a document with the `_id` is read.
    Reference(C::Id, Option<Read<T>>),
    /// A document found by a query, without a reference.
    Answer(Read<T>),
}

/// A child, or the error of a document that does not fit.
type Read<T> = Result<T, Box<Error>>;

impl<T, C: Model> Slot<T, C> {
    /// Makes the slot of a reference, before the document is read.
    pub(crate) fn of_reference(id: C::Id) -> Self {
        Slot::Reference(id, None)
    }

    pub(crate) fn of_answer(child: Result<T>) -> Self {
        Slot::Answer(child.map_err(Box::new))
    }

    /// Puts the document of a reference into the slot.
    pub(crate) fn put(&mut self, child: Result<T>) {
        let child = child.map_err(Box::new);
        match self {
            Slot::Reference(_, place) => *place = Some(child),
            Slot::Answer(place) => *place = child,
        }
    }

    /// Returns the requested `_id`.
    pub(super) fn id(&self) -> Option<&C::Id> {
        match self {
            Slot::Reference(id, _) => Some(id),
            Slot::Answer(_) => None,
        }
    }

    pub(super) fn found(&self) -> Option<&T> {
        match self {
            Slot::Reference(_, Some(Ok(child))) | Slot::Answer(Ok(child)) => Some(child),
            Slot::Reference(..) | Slot::Answer(_) => None,
        }
    }

    pub(crate) fn missing(&self) -> Option<&C::Id> {
        match self {
            Slot::Reference(id, None) => Some(id),
            Slot::Reference(..) | Slot::Answer(_) => None,
        }
    }

    pub(super) fn failed(&self) -> Option<&Error> {
        match self {
            Slot::Reference(_, Some(Err(error))) | Slot::Answer(Err(error)) => Some(error),
            Slot::Reference(..) | Slot::Answer(_) => None,
        }
    }

    /// Returns the read child or its error; `None` without a document.
    pub(super) fn into_read(self) -> Option<Result<T>> {
        let read = match self {
            Slot::Reference(_, read) => read?,
            Slot::Answer(read) => read,
        };
        Some(read.map_err(|error| *error))
    }

    pub(super) fn into_found(self) -> Option<T> {
        self.into_read()?.ok()
    }

    pub(super) fn entry(&self) -> JoinEntry<'_, T, C> {
        match self {
            Slot::Reference(_, Some(Ok(child))) | Slot::Answer(Ok(child)) => JoinEntry::Found(child),
            Slot::Reference(_, Some(Err(error))) | Slot::Answer(Err(error)) => JoinEntry::Failed(error),
            Slot::Reference(id, None) => JoinEntry::Missing(id),
        }
    }
}

/// The outcome of one reference.
pub enum JoinEntry<'a, T, C: Model> {
    /// The child.
    Found(&'a T),
    /// No document has this `_id`.
    Missing(&'a C::Id),
    /// The document does not fit the struct.
    Failed(&'a Error),
}

impl<'a, T, C: Model> JoinEntry<'a, T, C> {
    /// Returns the child, if the child was found.
    pub fn found(self) -> Option<&'a T> {
        match self {
            JoinEntry::Found(child) => Some(child),
            JoinEntry::Missing(_) | JoinEntry::Failed(_) => None,
        }
    }
}

/// The found children, in order, with repeats.
pub struct Found<'a, T, C: Model> {
    slots: &'a [Slot<T, C>],
    order: slice::Iter<'a, u32>,
}

impl<'a, T, C: Model> Found<'a, T, C> {
    fn new(slots: &'a [Slot<T, C>], order: &'a [u32]) -> Self {
        Found { slots, order: order.iter() }
    }
}

impl<'a, T, C: Model> Iterator for Found<'a, T, C> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        let slots = self.slots;
        self.order.find_map(|at| slots[*at as usize].found())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.order.len()))
    }
}

/// The children of one parent, in order, as a part of a larger load.
///
/// Every reference is in exactly one of [`iter`](View::iter), [`missing`](View::missing) and [`failed`](View::failed).
#[derive_where(Clone, Copy)]
pub struct View<'a, T, C: Model = T> {
    name: Name,
    slots: &'a [Slot<T, C>],
    /// `None` when the parent was not loaded.
    order: Option<&'a [u32]>,
}

impl<'a, T, C: Model> View<'a, T, C> {
    pub(crate) fn new(name: Name, slots: &'a [Slot<T, C>], order: Option<&'a [u32]>) -> Self {
        View { name, slots, order }
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = &'a Slot<T, C>> + use<'a, T, C> {
        let slots = self.slots;
        self.order.unwrap_or_default().iter().map(move |at| &slots[*at as usize])
    }

    /// Iterates over the found children, in order, with repeats.
    pub fn iter(&self) -> Found<'a, T, C> {
        Found::new(self.slots, self.order.unwrap_or_default())
    }

    /// Iterates over the outcome of each reference, in order, with repeats.
    pub fn entries(&self) -> impl Iterator<Item = JoinEntry<'a, T, C>> + use<'a, T, C> {
        self.slots().map(Slot::entry)
    }

    /// Returns the number of children in [`iter`](View::iter).
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Returns whether [`iter`](View::iter) is empty.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Returns the first child.
    pub fn first(&self) -> Option<&'a T> {
        self.iter().next()
    }

    /// Iterates over the references without a document, in order, with repeats.
    pub fn missing(&self) -> impl Iterator<Item = &'a C::Id> + use<'a, T, C> {
        self.slots().filter_map(Slot::missing)
    }

    /// Iterates over the errors of the documents that do not fit, in order, with repeats; each error names the
    /// collection, the `_id` and the path.
    pub fn failed(&self) -> impl Iterator<Item = &'a Error> + use<'a, T, C> {
        self.slots().filter_map(Slot::failed)
    }

    /// Returns whether the parent was loaded. The view of a parent that was not loaded is empty and never complete.
    pub fn is_loaded(&self) -> bool {
        self.order.is_some()
    }

    /// Returns whether nothing is missing and nothing failed.
    pub fn is_complete(&self) -> bool {
        self.is_loaded() && self.slots().all(|slot| slot.found().is_some())
    }

    /// Returns the view, if nothing is missing and nothing failed.
    ///
    /// # Errors
    /// [`Error::Incomplete`] with the counts; [`Error::NotLoaded`] when the parent was not loaded.
    pub fn complete(self) -> Result<Self> {
        if !self.is_loaded() {
            return Err(self.not_loaded());
        }
        if self.is_complete() {
            return Ok(self);
        }
        Err(Error::Incomplete {
            field: self.name.to_string(),
            missing: self.missing().count(),
            failed: self.failed().count(),
        })
    }

    pub(super) fn not_loaded(&self) -> Error {
        Error::NotLoaded { field: self.name.to_string() }
    }
}

impl<T: fmt::Debug, C: Model> fmt::Debug for JoinEntry<'_, T, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JoinEntry::Found(child) => formatter.debug_tuple("Found").field(child).finish(),
            JoinEntry::Missing(id) => formatter.debug_tuple("Missing").field(&id.to_bson()).finish(),
            JoinEntry::Failed(error) => formatter.debug_tuple("Failed").field(error).finish(),
        }
    }
}

impl<T: fmt::Debug, C: Model> fmt::Debug for View<'_, T, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.entries()).finish()
    }
}

//! The children of many parents.

use std::{fmt, marker::PhantomData};

use hashbrown::HashMap;

use super::{Name, Slot, View};
use crate::{
    bounds::IntoId,
    error::{Error, Result},
    key::Key,
    model::Model,
};

/// The children of many parents, each child read and decoded once, however many parents share the child.
pub struct Loaded<P: Model, C: Model, T = C> {
    name: Name,
    slots: Vec<Slot<T, C>>,
    spans: Spans,
    parent: PhantomData<fn() -> P>,
}

/// The assignment of children to parents.
#[derive(Default)]
pub(crate) struct Spans {
    /// The children of the first parent, then the children of the second parent, and so on.
    order: Vec<u32>,
    /// The start and the end of the children of each parent in `order`.
    parents: HashMap<Key, (usize, usize)>,
}

impl Spans {
    /// Adds a parent with the start and the end of its children in an order that is set later.
    pub(crate) fn mark(&mut self, parent: Key, span: (usize, usize)) {
        self.parents.insert(parent, span);
    }

    /// Sets the order of the children.
    pub(crate) fn in_order(self, order: Vec<u32>) -> Self {
        Spans { order, ..self }
    }

    /// Adds a parent with its children.
    pub(crate) fn add(&mut self, parent: Key, children: Vec<u32>) {
        let start = self.order.len();
        self.order.extend(children);
        self.parents.insert(parent, (start, self.order.len()));
    }

    fn of(&self, parent: Result<Key>) -> Option<&[u32]> {
        let (start, end) = self.parents.get(&parent.ok()?)?;
        Some(&self.order[*start..*end])
    }
}

impl<P: Model, C: Model, T> Loaded<P, C, T> {
    pub(crate) fn new(name: Name, slots: Vec<Slot<T, C>>, spans: Spans) -> Self {
        Loaded { name, slots, spans, parent: PhantomData }
    }

    /// Returns the children of `parent`: a document, an `_id` or a [`Ref`](crate::Ref) to the document. A parent that
    /// was not loaded has an empty view that is not [`complete`](View::complete).
    pub fn of<K>(&self, parent: impl IntoId<P, K>) -> View<'_, T, C> {
        View::new(self.name, &self.slots, self.spans.of(Key::of_id(&parent.into_id())))
    }

    /// Iterates over the found children of all parents, each child once.
    pub fn distinct(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().filter_map(Slot::found)
    }

    pub(super) fn into_distinct(self) -> Vec<T> {
        self.slots.into_iter().filter_map(Slot::into_found).collect()
    }

    /// Iterates over the references without a document, of all parents, each reference once.
    pub fn missing(&self) -> impl Iterator<Item = &C::Id> {
        self.slots.iter().filter_map(Slot::missing)
    }

    /// Iterates over the errors of the documents that do not fit, of all parents, each document once.
    pub fn failed(&self) -> impl Iterator<Item = &Error> {
        self.slots.iter().filter_map(Slot::failed)
    }

    /// Returns the loaded children, if no parent misses a child and no child failed.
    ///
    /// # Errors
    /// [`Error::Incomplete`] with the counts, each child once.
    pub fn complete(self) -> Result<Self> {
        let (missing, failed) = (self.missing().count(), self.failed().count());
        if missing + failed == 0 {
            return Ok(self);
        }
        Err(Error::Incomplete { field: self.name.to_string(), missing, failed })
    }
}

impl<P: Model, C: Model, T> fmt::Debug for Loaded<P, C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parents, distinct) = (self.spans.parents.len(), self.slots.len());
        write!(formatter, "Loaded({}: {distinct} distinct children of {parents} parents)", self.name)
    }
}

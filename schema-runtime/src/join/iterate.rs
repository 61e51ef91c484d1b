//! `for child in &joined`: the found children, as iterators.

use std::{slice, vec};

use super::{CompleteJoin, Found, Joined, Loaded, Row, Rows, View};
use crate::model::Model;

impl<'a, T, C: Model> IntoIterator for View<'a, T, C> {
    type Item = &'a T;
    type IntoIter = Found<'a, T, C>;

    fn into_iter(self) -> Found<'a, T, C> {
        self.iter()
    }
}

impl<'a, T, C: Model> IntoIterator for &'a Joined<T, C> {
    type Item = &'a T;
    type IntoIter = Found<'a, T, C>;

    fn into_iter(self) -> Found<'a, T, C> {
        self.iter()
    }
}

/// Iterates over the found children; only repeats are cloned. The iterator omits missing and failed references, as
/// [`iter`](Joined::iter) does; [`complete`](Joined::complete) returns an error for missing and failed references.
impl<T: Clone, C: Model> IntoIterator for Joined<T, C> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> vec::IntoIter<T> {
        self.into_found().into_iter()
    }
}

impl<'a, T> IntoIterator for &'a CompleteJoin<T> {
    type Item = &'a T;
    type IntoIter = vec::IntoIter<&'a T>;

    fn into_iter(self) -> vec::IntoIter<&'a T> {
        self.iter().collect::<Vec<_>>().into_iter()
    }
}

/// Only repeats are cloned.
impl<T: Clone> IntoIterator for CompleteJoin<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> vec::IntoIter<T> {
        self.into_vec().into_iter()
    }
}

/// Iterates over the found children of all parents, each child once.
impl<P: Model, C: Model, T> IntoIterator for Loaded<P, C, T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> vec::IntoIter<T> {
        self.into_distinct().into_iter()
    }
}

/// Iterates over the found children of all parents, each child once.
impl<'a, P: Model, C: Model, T> IntoIterator for &'a Loaded<P, C, T> {
    type Item = &'a T;
    type IntoIter = vec::IntoIter<&'a T>;

    fn into_iter(self) -> vec::IntoIter<&'a T> {
        self.distinct().collect::<Vec<_>>().into_iter()
    }
}

impl<'a, P, C: Model, T> IntoIterator for &'a Rows<P, C, T> {
    type Item = &'a Row<P, C, T>;
    type IntoIter = slice::Iter<'a, Row<P, C, T>>;

    fn into_iter(self) -> slice::Iter<'a, Row<P, C, T>> {
        self.iter()
    }
}

/// Iterates over the parents that fit their struct, each with the children; [`into_parts`](Rows::into_parts) also
/// returns the errors of the remaining parents.
impl<P, C: Model, T> IntoIterator for Rows<P, C, T> {
    type Item = Row<P, C, T>;
    type IntoIter = vec::IntoIter<Row<P, C, T>>;

    fn into_iter(self) -> vec::IntoIter<Row<P, C, T>> {
        self.into_parts().0.into_iter()
    }
}

//! An array with the bound in the type.

use std::{fmt, ops::Deref};

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// A list of at most `N` elements, stored as an array. The type serves as an inner array: an inner array is no field,
/// and takes no `#[bound(max_items = N)]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct BoundedVec<T, const N: usize>(Vec<T>);

/// The error of more elements than a [`BoundedVec`] may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundedVecError {
    /// The most elements that the list may hold.
    pub bound: usize,
    /// The number of elements.
    pub size: usize,
}

impl fmt::Display for BoundedVecError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} elements, where at most {} may be", self.size, self.bound)
    }
}

impl std::error::Error for BoundedVecError {}

impl<T, const N: usize> BoundedVec<T, N> {
    /// A list without elements.
    pub const fn new() -> Self {
        BoundedVec(Vec::new())
    }

    /// Adds an element at the end.
    ///
    /// # Errors
    /// [`BoundedVecError`] when the list has `N` elements already.
    pub fn push(&mut self, element: T) -> Result<(), BoundedVecError> {
        if self.0.len() >= N {
            return Err(BoundedVecError { bound: N, size: self.0.len() + 1 });
        }
        self.0.push(element);
        Ok(())
    }

    /// Returns the elements.
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T, const N: usize> Default for BoundedVec<T, N> {
    fn default() -> Self {
        BoundedVec::new()
    }
}

impl<T, const N: usize> TryFrom<Vec<T>> for BoundedVec<T, N> {
    type Error = BoundedVecError;

    fn try_from(elements: Vec<T>) -> Result<Self, BoundedVecError> {
        if elements.len() > N {
            return Err(BoundedVecError { bound: N, size: elements.len() });
        }
        Ok(BoundedVec(elements))
    }
}

impl<T, const N: usize> Deref for BoundedVec<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for BoundedVec<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

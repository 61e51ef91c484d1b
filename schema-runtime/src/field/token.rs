//! The token of a field: its model, its type and its path.

use std::marker::PhantomData;

use mongodb::bson::Bson;

use super::{Filter, IntoValue, Path};

/// What every token is made by. Implemented by derived code.
pub trait Token {
    /// The token.
    const NEW: Self;
}

/// The field of type `T` at `P` in the model `M`.
pub struct FieldToken<M, T, P>(Marker<M, T, P>);

/// Neither owns nor borrows what it names.
type Marker<M, T, P> = PhantomData<fn() -> (M, T, P)>;

impl<M, T, P> Clone for FieldToken<M, T, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, T, P> Copy for FieldToken<M, T, P> {}

impl<M, T, P> Token for FieldToken<M, T, P> {
    const NEW: Self = FieldToken(PhantomData);
}

impl<M, T, P: Path> FieldToken<M, T, P> {
    /// The stored path, joined by dots.
    pub fn path(self) -> String {
        P::NODE.join()
    }

    /// The field equals the value; in an array of structs, in some element.
    pub fn eq(self, value: impl IntoValue<T>) -> Filter<M> {
        Filter::equal(self.path(), value.into_value())
    }

    /// The field equals one of the values.
    pub fn in_<V: IntoValue<T>>(self, values: impl IntoIterator<Item = V>) -> Filter<M> {
        let values: Result<Vec<Bson>, _> = values.into_iter().map(IntoValue::into_value).collect();
        Filter::among(self.path(), values)
    }
}

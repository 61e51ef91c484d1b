//! Values for a field of a type that the user wrote down. One place checks that the written type is the type of the
//! field.

use std::{
    marker::PhantomData,
    ops::{Bound, RangeBounds},
};

use derive_where::derive_where;
use mongodb::bson::Bson;

use super::{IntoValue, ItemOf, Token};
use crate::error::Result;

/// The type of a field, when the query names the same type.
#[diagnostic::on_unimplemented(
    message = "the field has the type `{Self}`, and the query says `{T}`",
    label = "this has the type `{Self}`",
    note = "help: write `as {Self}`"
)]
pub trait IsType<T> {}

#[diagnostic::do_not_recommend]
impl<T> IsType<T> for T {}

/// A value that is known to fit a field of type `T`.
#[derive_where(Clone)]
pub struct Fitting<T>(Result<Bson>, PhantomData<fn() -> T>);

#[diagnostic::do_not_recommend]
impl<T> IntoValue<T> for Fitting<T> {
    fn into_value(self) -> Result<Bson> {
        self.0
    }
}

/// Converts a value for the field; the field has the type `T`.
pub fn fitting<T, F: Token>(_: F, value: impl IntoValue<T>) -> Fitting<F::Value>
where
    F::Value: IsType<T>,
{
    Fitting(value.into_value(), PhantomData)
}

/// Converts a value for an element of the field; the element has the type `T`.
pub fn fitting_item<T, F>(_: F, value: impl IntoValue<T>) -> Fitting<ItemOf<F>>
where
    F: Token<Class: super::class::ArrayOf<F::Value>>,
    ItemOf<F>: IsType<T>,
{
    Fitting(value.into_value(), PhantomData)
}

/// Converts values for the field; the field has the type `T`.
pub fn all_fitting<T, F: Token, V: IntoValue<T>>(
    _: F,
    values: impl IntoIterator<Item = V>,
) -> impl Iterator<Item = Fitting<F::Value>>
where
    F::Value: IsType<T>,
{
    values.into_iter().map(|value| Fitting(value.into_value(), PhantomData))
}

/// Converts a range of values for the field; the field has the type `T`.
pub fn fitting_range<T, F: Token, V: IntoValue<T> + Clone>(
    _: F,
    range: impl RangeBounds<V>,
) -> impl RangeBounds<Fitting<F::Value>>
where
    F::Value: IsType<T>,
{
    let end = |bound: Bound<&V>| bound.cloned().map(|value| Fitting(value.into_value(), PhantomData));
    (end(range.start_bound()), end(range.end_bound()))
}

//! The types of the values that the server computes from a field of many documents: sums, averages, keys of groups.

use mongodb::bson::Decimal128;

use super::{
    OneValue, Path, Place,
    class::{Boolean, Bytes, Date, Day, Enumeration, Identity, InternalTimestamp, Maybe, Number, Text, WholeNumber},
    stored::Described,
};

/// The type of the sum of the field `F`: `i64` for integers, `f64` for floats, the type itself for decimals.
pub type SumOf<F> = <<F as Place>::Class as Summed<<F as Place>::Value>>::Sum;

/// The type of the least and of the greatest value of the field `F`, without `Option`.
pub type ExtremeOf<F> = <<F as Place>::Class as Extreme<<F as Place>::Value>>::Item;

/// A class of numbers that the server can add up.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is not a number that can be added up",
    label = "this field has the type `{T}`",
    note = "help: `sum` and `avg` are for integers, floats and decimals, and an `Option` of such a number; count other values with `count` and `count_by`"
)]
pub trait Summed<T> {
    /// The type of the sum.
    type Sum;
}

#[diagnostic::do_not_recommend]
impl<T> Summed<T> for WholeNumber {
    type Sum = i64;
}

#[diagnostic::do_not_recommend]
impl<T: Addend> Summed<T> for Number {
    type Sum = T::Sum;
}

#[diagnostic::do_not_recommend]
impl<T, C: Summed<T>> Summed<Option<T>> for Maybe<C> {
    type Sum = C::Sum;
}

/// A number with fractions.
#[diagnostic::on_unimplemented(
    message = "the sum of numbers of type `{Self}` has no known type",
    label = "this field has the type `{Self}`",
    note = "help: sums are for integers, `f32`, `f64`, `Decimal128`, the `Decimal` of `rust_decimal` and newtypes of such numbers"
)]
pub trait Addend {
    /// The type of the sum.
    type Sum;
}

macro_rules! addend {
    ($($number:ty => $sum:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Addend for $number {
            type Sum = $sum;
        }
    )*};
}

addend! {
    f32 => f64;
    f64 => f64;
    Decimal128 => Decimal128;
}

#[cfg(feature = "rust_decimal")]
addend! {
    ::rust_decimal::Decimal => ::rust_decimal::Decimal;
}

/// The sum of a newtype is of the newtype.
#[diagnostic::do_not_recommend]
impl<T: Described> Addend for T {
    type Sum = T;
}

/// A class of values with a least and a greatest value.
#[diagnostic::on_unimplemented(
    message = "the values of a field of type `{T}` have no least and no greatest value",
    label = "this field has the type `{T}`",
    note = "help: `min` and `max` are for numbers, strings, enums, bools, dates and ids, and an `Option` of such a value"
)]
pub trait Extreme<T> {
    /// The type of the value, without `Option`.
    type Item;
}

/// A class of values by which documents are grouped.
#[diagnostic::on_unimplemented(
    message = "documents cannot be grouped by a field of type `{T}`",
    label = "this field has the type `{T}`",
    note = "help: group by a number, a string, an enum, a bool, a date or an id, or by an `Option` of such a value"
)]
pub trait GroupKey<T> {}

macro_rules! single {
    ($($class:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T> Extreme<T> for $class {
            type Item = T;
        }

        #[diagnostic::do_not_recommend]
        impl<T> GroupKey<T> for $class {}
    )*};
}

single! { WholeNumber Number Text Enumeration Boolean Date Day InternalTimestamp Identity Bytes }

#[diagnostic::do_not_recommend]
impl<T, C: Extreme<T>> Extreme<Option<T>> for Maybe<C> {
    type Item = C::Item;
}

#[diagnostic::do_not_recommend]
impl<T, C: GroupKey<T>> GroupKey<Option<T>> for Maybe<C> {}

/// A path with a single value in each document.
#[diagnostic::on_unimplemented(
    message = "this field is inside of an array, and each document has several values of the field",
    label = "each element has a value of this field",
    note = "help: derive `Aggregate` with `unwind(..)` of the array, and sum, average or group the fields of the elements"
)]
pub trait OnePerDocument: Path {}

#[diagnostic::do_not_recommend]
impl<P: OneValue> OnePerDocument for P {}

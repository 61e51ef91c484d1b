//! What may be asked of a field, by the class of its type: numbers and dates have an order, arrays have elements. A method
//! that does not fit a class does not compile, and the traits here say why.

use std::marker::PhantomData;

use super::Field;

/// Integers of every width, `f32`, `f64` and `Decimal128`.
pub struct Number;
/// `String` and `char`, stored as a string.
pub struct Text;
/// A unit enum, stored as a string.
pub struct Enumeration;
/// `bool`.
pub struct Boolean;
/// `DateTime`.
pub struct Date;
/// `Timestamp`.
pub struct InternalTimestamp;
/// `ObjectId` and `Uuid`.
pub struct Identity;
/// `Binary`.
pub struct Bytes;
/// A GeoJSON value.
pub struct Geometry;
/// An embedded struct.
pub struct Subdocument;
/// A map, whose keys are data.
pub struct Map;
/// A value that only its own serde implementation knows (`#[opaque]`).
pub struct Opaque;
/// A value that serde writes by a function (`#[opaque]` with `with`).
pub struct OpaqueByFunction;
/// A list of `E` that may grow: `Vec`, `VecDeque`, `Box<[E]>`, `Few`.
pub struct List<E>(PhantomData<fn() -> E>);
/// A set of `E`.
pub struct Set<E>(PhantomData<fn() -> E>);
/// `[E; N]`.
pub struct FixedList<E>(PhantomData<fn() -> E>);

/// An `Option` of a type of the class `C`.
pub struct Maybe<C>(PhantomData<fn() -> C>);

macro_rules! capability {
    ($($(#[$attribute:meta])* $name:ident: $($class:ty),*;)*) => {$(
        $(#[$attribute])*
        pub trait $name<T> {}
        $(
            #[diagnostic::do_not_recommend]
            impl<T> $name<T> for $class {}
        )*
        #[diagnostic::do_not_recommend]
        impl<T, C: $name<T>> $name<T> for Maybe<C> {}
    )*};
}

capability! {
    /// A class whose values a sort can place.
    #[diagnostic::on_unimplemented(
        message = "documents cannot be sorted by a field of type `{T}`",
        label = "this field has the type `{T}`",
        note = "help: sort by a field that is one number, string, bool, date, id or binary value; of an embedded struct, by one of its fields"
    )]
    Sortable: Number, Text, Enumeration, Boolean, Date, InternalTimestamp, Identity, Bytes;

    /// A class whose values are strings.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` is not a string",
        label = "this field has the type `{T}`",
        note = "help: `regex` and `starts_with` are for a `String`, a `char` or a newtype of one; for an array of strings write `elem_match(|element| element.regex(..))`"
    )]
    Textual: Text;

    /// A class whose values the server can set to its own clock.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` is not a date",
        label = "this field has the type `{T}`",
        note = "help: `current_date` is for a `DateTime` or a `Timestamp`"
    )]
    Dated: Date, InternalTimestamp;

    /// A class whose values are places.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` is not a location",
        label = "this field has the type `{T}`",
        note = "help: `near` and `within` are for a `Point` or a pair `[f64; 2]` of longitude and latitude"
    )]
    Located: Geometry, FixedList<f64>;
}

/// A class whose values have an order that one would ask for.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` has no order",
    label = "this field has the type `{T}`",
    note = "help: `gt`, `gte`, `lt`, `lte`, `between`, `min` and `max` are for numbers, strings, dates and ids; to compare the elements of an array write `elem_match(|element| element.gt(..))`"
)]
pub trait Ordered<T> {
    /// The type that it is compared with, which is `T`. A value of it is asked for only where there is an order: one mistake
    /// gives one message.
    type Operand;
}

/// A class whose values are numbers.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is not a number that an update can add to",
    label = "this field has the type `{T}`",
    note = "help: `inc` and `mul` are for integers, floats and `Decimal128`, not for an `Option` of one: the server cannot add to null; give it a value with `set`"
)]
pub trait Numeric<T> {
    /// The type of what is added, which is `T`.
    type Operand;
}

macro_rules! operand {
    ($($name:ident: $($class:ty),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl<T> $name<T> for $class {
            type Operand = T;
        }
    )*)*};
}

operand! {
    Ordered: Number, Text, Date, InternalTimestamp, Identity;
    Numeric: Number;
}

#[diagnostic::do_not_recommend]
impl<T, C: Ordered<T>> Ordered<T> for Maybe<C> {
    type Operand = T;
}

/// A class of arrays.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is not an array",
    label = "this field has the type `{T}`",
    note = "help: `contains`, `all`, `size`, `elem_match` and `each` are for arrays and sets; compare one value with `eq`, `is_in` or `regex`"
)]
pub trait ArrayOf<T> {
    /// The type of an element.
    type Item: Field;
}

/// A class of arrays to which the server can add an element.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is not an array that an update can add to",
    label = "this field has the type `{T}`",
    note = "help: `add_to_set`, `pull` and `pull_if` are for a `Vec`, a `VecDeque`, a `Box<[T]>`, a `Few` or a set, not for an `Option` of one: the server cannot add to null; give it a value with `set`"
)]
pub trait Growing<T> {
    /// The type of an element.
    type Item: Field;
}

/// A class of arrays that may hold an element twice, in an order.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is not a list that an update can push to",
    label = "this field has the type `{T}`",
    note = "help: `push` is for a `Vec`, a `VecDeque`, a `Box<[T]>` or a `Few`, not for an `Option` of one: the server cannot push to null; a set has `add_to_set`"
)]
pub trait Listed<T> {
    /// The type of an element.
    type Item: Field;
}

macro_rules! array {
    ($($name:ident: $($class:ident),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl<T, E: Field> $name<T> for $class<E> {
            type Item = E;
        }
    )*)*};
}

array! {
    ArrayOf: List, Set, FixedList;
    Growing: List, Set;
    Listed: List;
}

#[diagnostic::do_not_recommend]
impl<T, C: ArrayOf<T>> ArrayOf<T> for Maybe<C> {
    type Item = C::Item;
}

/// A class whose values may be null or absent.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is never null",
    label = "this field has the type `{T}`",
    note = "help: `is_null`, `is_not_null` and `unset` are for an `Option`: a document without any other field could not be read"
)]
pub trait Nullable<T> {}

#[diagnostic::do_not_recommend]
impl<T, C> Nullable<T> for Maybe<C> {}

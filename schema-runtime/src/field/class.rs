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
    )*};
}

capability! {
    /// A class whose values have an order that one would ask for.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` has no order",
        label = "this field has the type `{T}`",
        note = "numbers, strings, dates and ids have an order; for an array use `elem_match`, which compares one element"
    )]
    Ordered: Number, Text, Date, InternalTimestamp, Identity;

    /// A class whose values a sort can place.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` cannot be sorted by",
        label = "this field has the type `{T}`",
        note = "a sort needs one plain value of each document: an array, a map or a struct is none; sort by a field of the struct"
    )]
    Sortable: Number, Text, Enumeration, Boolean, Date, InternalTimestamp, Identity, Bytes;

    /// A class whose values are numbers.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` cannot be counted with",
        label = "this field has the type `{T}`",
        note = "this is for a number that is never null"
    )]
    Numeric: Number;

    /// A class whose values are strings.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` is no string",
        label = "this field has the type `{T}`",
        note = "a pattern is for a `String`, a `char` or a newtype of one; for an array use `elem_match`"
    )]
    Textual: Text;

    /// A class whose values the server can set to its own clock.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` is no date",
        label = "this field has the type `{T}`",
        note = "`current_date` is for a `DateTime` or a `Timestamp`"
    )]
    Dated: Date, InternalTimestamp;

    /// A class whose values are places.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` is no place",
        label = "this field has the type `{T}`",
        note = "`near` and `within` are for a `Point` or a pair `[f64; 2]`"
    )]
    Located: Geometry, FixedList<f64>;
}

macro_rules! maybe {
    ($($name:ident),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T, C: $name<T>> $name<T> for Maybe<C> {}
    )*};
}

maybe!(Ordered, Sortable, Textual, Dated, Located);

/// A class of arrays.
#[diagnostic::on_unimplemented(message = "a field of type `{T}` is no array", label = "this field has the type `{T}`")]
pub trait ArrayOf<T> {
    /// The type of an element.
    type Item: Field;
}

/// A class of arrays to which the server can add an element.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is no array that can grow",
    label = "this field has the type `{T}`",
    note = "an array that can grow is a `Vec`, a `VecDeque`, a `Box<[_]>`, a `Few` or a set that is no `Option`"
)]
pub trait Growing<T> {
    /// The type of an element.
    type Item: Field;
}

/// A class of arrays that may hold an element twice, in an order.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is no list",
    label = "this field has the type `{T}`",
    note = "`push` is for a `Vec`, a `VecDeque`, a `Box<[_]>` or a `Few` that is no `Option`; a set has `add_to_set`"
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
    note = "only an `Option` may be null or absent: a document without another field does not fit the struct"
)]
pub trait Nullable<T> {}

#[diagnostic::do_not_recommend]
impl<T, C> Nullable<T> for Maybe<C> {}

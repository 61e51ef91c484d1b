//! The classes of field types, by the operators that fit a type: numbers and dates have an order, arrays have elements.
//! A method that does not fit a class does not compile, and the traits here give the reason.

mod judged;

use std::marker::PhantomData;

pub use judged::JudgedBy;

use super::Field;

/// Integers of every width.
pub struct WholeNumber;
/// `f32`, `f64`, `Decimal128` and the `Decimal` of `rust_decimal`.
pub struct Number;
/// `String`, `char`, `IpAddr` and the `Url` of `url`, stored as a string.
pub struct Text;
/// A unit enum, stored as a string.
pub struct Enumeration;
/// `bool`.
pub struct Boolean;
/// `DateTime`, and the types of other crates for a point in time.
pub struct Date;
/// A day without a time, stored as a date at midnight in UTC.
pub struct Day;
/// `Timestamp`.
pub struct InternalTimestamp;
/// `ObjectId` and `Uuid`, also the `Uuid` of `uuid`.
pub struct Identity;
/// `Binary`.
pub struct Bytes;
/// A GeoJSON value.
pub struct Geometry;
/// An embedded struct.
pub struct Subdocument;
/// A map to `V` with keys that are data.
pub struct Map<V>(PhantomData<fn() -> V>);
/// A value that only the serde implementation of the type describes (`#[opaque]`).
pub struct Opaque;
/// A value that serde writes by a function (`#[opaque]` with `with`).
pub struct OpaqueByFunction;
/// A list of `E` that may grow: `Vec`, `VecDeque`, `Box<[E]>`, `BoundedVec`.
pub struct List<E>(PhantomData<fn() -> E>);
/// A set of `E`.
pub struct Set<E>(PhantomData<fn() -> E>);
/// A `Bson`, a `Document` or a `serde_json::Value`.
pub struct AnyForm;
/// A value at a path inside of a raw value: any value, or none.
pub struct Anything;
/// [`AnyValue`] stands for the type of a value of which no type is known. Such a place takes every value that serde
/// writes.
pub struct AnyValue;
/// The entry of a map to a type of the class `C`. A map may be without the entry.
pub struct InMap<C>(PhantomData<fn() -> C>);
/// `[E; N]`.
pub struct FixedList<E>(PhantomData<fn() -> E>);

/// A value that serde writes by a function as a value of the class `C` (`#[stored_as(..)]` with `with`).
pub struct ByFunction<C>(PhantomData<fn() -> C>);

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
        #[diagnostic::do_not_recommend]
        impl<T, C: $name<T>> $name<T> for ByFunction<C> {}
        #[diagnostic::do_not_recommend]
        impl<T, C: $name<T>> $name<T> for InMap<C> {}
    )*};
}

capability! {
    /// A class of values that a sort can order.
    #[diagnostic::on_unimplemented(
        message = "documents cannot be sorted by a field of type `{T}`",
        label = "this field has the type `{T}`",
        note = "help: sort by a field that is a single number, string, bool, date, id or binary value; of an embedded struct, sort by a field of the struct"
    )]
    Sortable: WholeNumber, Number, Text, Enumeration, Boolean, Date, Day, InternalTimestamp, Identity, Bytes;

    /// A class of strings.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` is not a string",
        label = "this field has the type `{T}`",
        note = "help: `contains_text`, `starts_with`, `ends_with` and `regex` are for a `String`, a `char` or a newtype of a `String` or a `char`; for an array of strings write `elem_match(|element| element.contains_text(..))`"
    )]
    Textual: Text, Anything;

    /// A class of values that the server can set to the server's clock.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` is not a date",
        label = "this field has the type `{T}`",
        note = "help: `current_date` is for a `DateTime` or a `Timestamp`"
    )]
    Dated: Date, InternalTimestamp;

    /// A class of places.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` is not a location",
        label = "this field has the type `{T}`",
        note = "help: `near` and `within` are for a `Point` or a pair `[f64; 2]` of longitude and latitude"
    )]
    Located: Geometry, FixedList<f64>;

    /// A class of pairs of coordinates on a plane.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` is not a pair of coordinates on a plane",
        label = "this field has the type `{T}`",
        note = "help: `near_2d` and `within_2d` are for a pair `[f64; 2]`; for a place on the earth write `near` and `within`"
    )]
    OnPlane: FixedList<f64>;

    /// A class of integers.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` is not an integer",
        label = "this field has the type `{T}`",
        note = "help: `modulo` is for integers: compare another number with `gt` and `lt`"
    )]
    Whole: WholeNumber, Anything;

    /// A class of values with bits.
    #[diagnostic::on_unimplemented(
        message = "a field of type `{T}` has no bits to ask for",
        label = "this field has the type `{T}`",
        note = "help: `all_set`, `all_clear`, `any_set` and `any_clear` are for integers and a `Binary`"
    )]
    Bits: WholeNumber, Bytes, Anything;
}

/// A class of values with a text for paths and queries of a service: numbers, strings, enums of names and ids.
#[diagnostic::on_unimplemented(
    message = "a `Ref` to a model with this `_id` has no text",
    label = "the text needs an `_id` that is an id, a number, a string, an enum of names, or a newtype of such a value",
    note = "help: read the parts of the `_id` from the text, and make the reference with `Ref::new`"
)]
pub trait HasText {}

impl HasText for WholeNumber {}
impl HasText for Number {}
impl HasText for Text {}
impl HasText for Enumeration {}
impl HasText for Identity {}

/// A class of values with an order that queries use.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` has no order",
    label = "this field has the type `{T}`",
    note = "help: `gt`, `gte`, `lt`, `lte`, `between`, `min` and `max` are for numbers, strings, dates and ids; to compare the elements of an array write `elem_match(|element| element.gt(..))`"
)]
pub trait Ordered<T> {
    /// The type to compare with: `T`. The bound on the value applies only where the class has an order, so that one
    /// mistake gives one message.
    type Operand;
}

/// A class of numbers.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is not a number that an update can add to",
    label = "this field has the type `{T}`",
    note = "help: `inc` and `mul` are for integers, floats and `Decimal128`, not for an `Option` of a number: the server cannot add to null; give the field a value with `set`"
)]
pub trait Numeric<T> {
    /// The type of the added amount: `T`.
    type Operand;
}

/// A class of integers with bits that an update can change.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is not an integer with bits that an update can change",
    label = "this field has the type `{T}`",
    note = "help: `bit_and`, `bit_or` and `bit_xor` are for integers, not for an `Option` of an integer: the server cannot change the bits of null; give the field a value with `set`"
)]
pub trait BitField<T> {
    /// The type of the mask: `T`.
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
    Ordered: WholeNumber, Number, Text, Date, Day, InternalTimestamp, Identity, Anything;
    Numeric: WholeNumber, Number, Anything;
    BitField: WholeNumber, Anything;
}

#[diagnostic::do_not_recommend]
impl<T, C: Ordered<T>> Ordered<T> for InMap<C> {
    type Operand = C::Operand;
}

#[diagnostic::do_not_recommend]
impl<T, C: Numeric<T>> Numeric<T> for InMap<C> {
    type Operand = C::Operand;
}

#[diagnostic::do_not_recommend]
impl<T, C: BitField<T>> BitField<T> for InMap<C> {
    type Operand = C::Operand;
}

#[diagnostic::do_not_recommend]
impl<T, C: Ordered<T>> Ordered<T> for Maybe<C> {
    type Operand = T;
}

#[diagnostic::do_not_recommend]
impl<T, C: Ordered<T>> Ordered<T> for ByFunction<C> {
    type Operand = T;
}

#[diagnostic::do_not_recommend]
impl<T, C: Numeric<T>> Numeric<T> for ByFunction<C> {
    type Operand = T;
}

#[diagnostic::do_not_recommend]
impl<T, C: BitField<T>> BitField<T> for ByFunction<C> {
    type Operand = T;
}

/// A class of arrays.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is not an array",
    label = "this field has the type `{T}`",
    note = "help: `contains`, `all`, `size`, `elem_match` and `each` are for arrays and sets; compare a single value with `eq`, `is_in` or `contains_text`"
)]
pub trait ArrayOf<T> {
    /// The type of an element.
    type Item: Field;
}

/// A class of arrays with positions.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` has no element at a position",
    label = "this field has the type `{T}`",
    note = "help: `at_index` is for a list or an array; a set has no order, and an entry of a map is named by `key`"
)]
pub trait Positioned<T> {
    /// The type of an element.
    type Item: Field;
}

/// A class of arrays to which the server can add an element.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is not an array that an update can add to",
    label = "this field has the type `{T}`",
    note = "help: `add_to_set`, `pull` and `pull_if` are for a `Vec`, a `VecDeque`, a `Box<[T]>`, a `BoundedVec` or a set, not for an `Option` of an array: the server cannot add to null; give the field a value with `set`"
)]
pub trait Growing<T> {
    /// The type of an element.
    type Item: Field;
}

/// A class of ordered arrays that may hold an element twice.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is not a list that an update can push to",
    label = "this field has the type `{T}`",
    note = "help: `push` is for a `Vec`, a `VecDeque`, a `Box<[T]>` or a `BoundedVec`, not for an `Option` of a list: the server cannot push to null; a set has `add_to_set`"
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
    Positioned: List, FixedList;
    Growing: List, Set;
    Listed: List;
}

#[diagnostic::do_not_recommend]
impl<T, C: ArrayOf<T>> ArrayOf<T> for Maybe<C> {
    type Item = C::Item;
}

#[diagnostic::do_not_recommend]
impl<T, C: Positioned<T>> Positioned<T> for Maybe<C> {
    type Item = C::Item;
}

macro_rules! array_entry {
    ($($name:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T, C: $name<T>> $name<T> for InMap<C> {
            type Item = C::Item;
        }
    )*};
}

array_entry! { ArrayOf Positioned Growing Listed }

/// A class of maps.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is not a map",
    label = "this field has the type `{T}`",
    note = "help: `key` is for a `HashMap` or a `BTreeMap` with `String` keys; a path inside of a `Bson` or a `Document` is named by `at_path`"
)]
pub trait MapOf<T> {
    /// The type of a value.
    type Item: Field;
}

#[diagnostic::do_not_recommend]
impl<T, V: Field> MapOf<T> for Map<V> {
    type Item = V;
}

#[diagnostic::do_not_recommend]
impl<T, C: MapOf<T>> MapOf<T> for Maybe<C> {
    type Item = C::Item;
}

#[diagnostic::do_not_recommend]
impl<T, C: MapOf<T>> MapOf<T> for InMap<C> {
    type Item = C::Item;
}

/// A class of raw values.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` has no path inside that only the program knows",
    label = "this field has the type `{T}`",
    note = "help: `at_path` is for a `Bson`, a `Document` or a `serde_json::Value`; the fields of an embedded struct have tokens, and an entry of a map is named by `key`"
)]
pub trait RawDocuments<T> {
    /// The type of a value at a path: [`AnyValue`].
    type Inner;
}

#[diagnostic::do_not_recommend]
impl<T> RawDocuments<T> for AnyForm {
    type Inner = AnyValue;
}

#[diagnostic::do_not_recommend]
impl<T, C: RawDocuments<T>> RawDocuments<T> for Maybe<C> {
    type Inner = C::Inner;
}

#[diagnostic::do_not_recommend]
impl<T, C: RawDocuments<T>> RawDocuments<T> for InMap<C> {
    type Inner = C::Inner;
}

/// A class of values that may be null or absent.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is never null",
    label = "this field has the type `{T}`",
    note = "help: `is_null`, `is_not_null` and `unset` are for an `Option`: a document without a field of another type could not be read"
)]
pub trait Nullable<T> {}

#[diagnostic::do_not_recommend]
impl<T, C> Nullable<T> for Maybe<C> {}
#[diagnostic::do_not_recommend]
impl<T, C> Nullable<T> for InMap<C> {}
#[diagnostic::do_not_recommend]
impl<T> Nullable<T> for Anything {}

#[diagnostic::do_not_recommend]
impl<T, C: Nullable<T>> Nullable<T> for ByFunction<C> {}

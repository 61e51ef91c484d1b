//! The types of the distinct values of a field.

use super::{
    Place,
    class::{
        AnyForm, Boolean, Bytes, Date, Day, Enumeration, FixedList, Geometry, Identity, InternalTimestamp, List, Map,
        Maybe, Number, Opaque, Set, Subdocument, Text, WholeNumber,
    },
};

/// The type of the distinct values of the field `F`: the type of the field, or, for an array, the type of the elements.
pub type DistinctOf<F> = <<F as Place>::Class as Distinct<<F as Place>::Value>>::Item;

/// A class of types `T` with distinct values that can be read: every class of values that serde writes by the type
/// alone.
#[diagnostic::on_unimplemented(
    message = "the distinct values of this field cannot be read",
    label = "serde reads this field by a function, and the function reads whole documents",
    note = "help: select a projection with the field, and remove the repeated values"
)]
pub trait Distinct<T> {
    /// The type of a value.
    type Item;
    /// The type of a value where the field may be null.
    type OrNull;
}

macro_rules! whole {
    ($($class:ident),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T> Distinct<T> for $class {
            type Item = T;
            type OrNull = T;
        }
    )*};
}

whole!(
    WholeNumber,
    Number,
    Text,
    Enumeration,
    Boolean,
    Date,
    Day,
    InternalTimestamp,
    Identity,
    Bytes,
    Geometry,
    Subdocument,
    Opaque,
    AnyForm
);

#[diagnostic::do_not_recommend]
impl<T, V> Distinct<T> for Map<V> {
    type Item = T;
    type OrNull = T;
}

macro_rules! elements {
    ($($class:ident),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T, E> Distinct<T> for $class<E> {
            type Item = E;
            type OrNull = Option<E>;
        }
    )*};
}

elements!(List, Set, FixedList);

#[diagnostic::do_not_recommend]
impl<T, C: Distinct<T>> Distinct<T> for Maybe<C> {
    type Item = C::OrNull;
    type OrNull = C::OrNull;
}

//! The types of the values that functions of users judge.

use super::{
    AnyForm, Boolean, Bytes, Date, Day, Enumeration, FixedList, Geometry, Identity, InternalTimestamp, List, Map,
    Maybe, Number, Opaque, Set, Subdocument, Text, WholeNumber,
};

/// A class of values that a function of `#[check(with = ..)]` judges.
#[diagnostic::on_unimplemented(
    message = "no function judges a value of the type `{T}`",
    label = "this field has the type `{T}`",
    note = "help: remove `with`, or write the rule on a field of a known type"
)]
pub trait JudgedBy<T> {
    /// The type of the function's argument: the type of an element, or of a value of a map, or the whole type.
    type Value;
}

macro_rules! judged {
    ($([$($generics:tt)*] $class:ty: $value:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T, $($generics)*> JudgedBy<T> for $class {
            type Value = $value;
        }
    )*};
}

judged! {
    [] WholeNumber: T;
    [] Number: T;
    [] Text: T;
    [] Enumeration: T;
    [] Boolean: T;
    [] Date: T;
    [] Day: T;
    [] InternalTimestamp: T;
    [] Identity: T;
    [] Bytes: T;
    [] Geometry: T;
    [] Subdocument: T;
    [] Opaque: T;
    [] AnyForm: T;
    [E] List<E>: E;
    [E] Set<E>: E;
    [E] FixedList<E>: E;
    [V] Map<V>: V;
    [C: JudgedBy<T>] Maybe<C>: C::Value;
}

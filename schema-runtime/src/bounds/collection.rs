//! Arrays, sets and maps. Without a `#[bound(max = N)]` or a relation's `max` their shape has no bound, and the model that
//! holds them does not compile.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::{Few, Field};
use crate::{
    definition::{Kind, Shape},
    field::Path,
};

/// The shape of an array of `T` without a bound.
const fn array<T: Field>() -> Shape {
    Shape::new(Kind::Array { items: &T::SHAPE, min: 0, max: None })
}

/// The shape of a map to `T` without a bound.
const fn map<T: Field>() -> Shape {
    Shape::new(Kind::Map { values: &T::SHAPE, max: None })
}

macro_rules! collection {
    ($($type:ty, $shape:expr, [$($generics:tt)*];)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Field, $($generics)*> Field for $type {
            const SHAPE: Shape = $shape;
            type Nested<M, P: Path> = T::Nested<M, P>;
        }
    )*};
}

collection! {
    Vec<T>, array::<T>(), [];
    VecDeque<T>, array::<T>(), [];
    Box<[T]>, array::<T>(), [];
    BTreeSet<T>, array::<T>(), [];
    HashSet<T, S>, array::<T>(), [S];
    HashMap<String, T, S>, map::<T>(), [S];
    BTreeMap<String, T>, map::<T>(), [];
    Option<T>, T::SHAPE.nullable(), [];
    Box<T>, T::SHAPE, [];
    [T; N], Shape::new(Kind::Array { items: &T::SHAPE, min: N as u64, max: Some(N as u64) }), [const N: usize];
    Few<T, N>, array::<T>().max(N as u64), [const N: usize];
}

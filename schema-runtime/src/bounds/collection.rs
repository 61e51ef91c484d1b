//! Arrays, sets and maps. Without a `#[bound(max = N)]` or a relation's `max` their shape has no bound, and the model that
//! holds them does not compile.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::Few;
use crate::{
    definition::{Kind, Shape},
    field::{
        Each, Field, Path,
        class::{FixedList, List, Map, Maybe, Set},
    },
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
    ($($type:ty, $shape:expr, $class:ty, $element:ty, [$($generics:tt)*];)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<I: Field, $($generics)*> Field for $type {
            const SHAPE: Shape = $shape;
            type Class = $class;
            type Nested<M, T, P: Path, E: Path> = I::Nested<M, T, P, $element>;
        }
    )*};
}

collection! {
    Vec<I>, array::<I>(), List<I>, Each<E>, [];
    VecDeque<I>, array::<I>(), List<I>, Each<E>, [];
    Box<[I]>, array::<I>(), List<I>, Each<E>, [];
    Few<I, N>, array::<I>().max(N as u64), List<I>, Each<E>, [const N: usize];
    BTreeSet<I>, array::<I>().set(), Set<I>, Each<E>, [];
    HashSet<I, S>, array::<I>().set(), Set<I>, Each<E>, [S];
    [I; N], Shape::new(Kind::Array { items: &I::SHAPE, min: N as u64, max: Some(N as u64) }), FixedList<I>, Each<E>, [const N: usize];
    HashMap<String, I, S>, map::<I>(), Map, Each<E>, [S];
    BTreeMap<String, I>, map::<I>(), Map, Each<E>, [];
    Option<I>, I::SHAPE.nullable(), Maybe<I::Class>, E, [];
    Box<I>, I::SHAPE, I::Class, E, [];
}

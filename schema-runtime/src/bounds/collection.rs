//! Arrays, sets and maps. Without a `#[bound(max_items = N)]` or the `max` of a relation the shape has no bound, and a
//! model with such a field does not compile.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::BoundedVec;
use crate::{
    definition::{Kind, Shape},
    field::{
        Each, Field, NoFields, Path,
        class::{FixedList, List, Map, Maybe, Set},
        stored::Described,
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
    ($($type:ty, $shape:expr, $class:ty, $nested:ty, [$($generics:tt)*];)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<I: Field, $($generics)*> Field for $type {
            const SHAPE: Shape = $shape;
            type Class = $class;
            type Nested<M: 'static, P: Path, K: 'static> = $nested;
        }
    )*};
}

collection! {
    Vec<I>, array::<I>(), List<I>, I::Nested<M, Each<P>, K>, [];
    VecDeque<I>, array::<I>(), List<I>, I::Nested<M, Each<P>, K>, [];
    Box<[I]>, array::<I>(), List<I>, I::Nested<M, Each<P>, K>, [];
    BoundedVec<I, N>, array::<I>().max(N as u64), List<I>, I::Nested<M, Each<P>, K>, [const N: usize];
    BTreeSet<I>, array::<I>().set(), Set<I>, I::Nested<M, Each<P>, K>, [];
    HashSet<I, S>, array::<I>().set().hashed(), Set<I>, I::Nested<M, Each<P>, K>, [S: 'static];
    [I; N], Shape::new(Kind::Array { items: &I::SHAPE, min: N as u64, max: Some(N as u64) }), FixedList<I>, I::Nested<M, Each<P>, K>, [const N: usize];
    HashMap<String, I, S>, map::<I>().hashed(), Map<I>, NoFields, [S: 'static];
    BTreeMap<String, I>, map::<I>(), Map<I>, NoFields, [];
    Option<I>, I::SHAPE.nullable(), Maybe<I::Class>, I::Nested<M, P, K>, [];
}

// Rust lets another crate implement `Described` for a `Box` of a type of that crate: hence `Box` cannot implement
// `Field` directly.
#[diagnostic::do_not_recommend]
impl<I: Field> Described for Box<I> {
    const SHAPE: Shape = I::SHAPE;
    type Class = I::Class;
    type Nested<M: 'static, P: Path, K: 'static> = I::Nested<M, P, K>;
}

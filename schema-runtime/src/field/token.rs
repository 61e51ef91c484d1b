//! The token of a field: its model, its type and its path.

use std::{marker::PhantomData, ops::Deref};

use super::{Field, Path, Root, class};
use crate::definition::Shape;

/// The tokens of the fields of one struct: `Person::F` is one, and so is what is inside of `Person::F.home`.
pub trait NestedTokens: Sized + 'static {
    /// The tokens.
    const NEW: Self;
    /// The same, where a reference is needed.
    const TOKENS: &'static Self;
}

/// What is inside of a type that has no fields to name: a number, a string, a map.
pub struct NoFields;

impl NestedTokens for NoFields {
    const NEW: Self = NoFields;
    const TOKENS: &'static Self = &NoFields;
}

/// A field of a model, as every token of one says it. What can be asked of a field is in
/// [`QueryOperators`](super::QueryOperators).
pub trait Token: Copy {
    /// The model, or [`Element`] in a condition on an element of an array.
    type Model;
    /// The field's type.
    type Value;
    /// Where it is stored.
    type Path: Path;
    /// What may be asked of its type.
    type Class;
    /// Who may change it.
    type Access;
    /// How it is stored, where that is known.
    #[doc(hidden)]
    const SHAPE: Option<&'static Shape>;
}

/// The field of type `T` at `P` in the model `M`; `K` says who may change it and what is known of its type. The fields of an
/// embedded struct are fields of its token: `Person::F.home.city`.
pub struct FieldToken<M, T, P, K = Plain>(Marker<M, T, P, K>);

/// Neither owns nor borrows what it names.
type Marker<M, T, P, K> = PhantomData<fn() -> (M, T, P, K)>;

/// In the place of a model: an element of an array of `E`.
pub struct Element<E>(PhantomData<fn() -> E>);

/// The token of an element of an array.
pub type ElementToken<E> = FieldToken<Element<E>, E, Root>;

/// What is known of a field beside its type.
pub trait FieldKind<T> {
    /// What may be asked of it.
    type Class;
    /// Who may change it.
    type Access: 'static;
    /// How it is stored, where that is known.
    #[doc(hidden)]
    const SHAPE: Option<&'static Shape>;
}

/// A field that updates may change.
pub struct Plain;

/// The `_id`, which never changes.
pub struct IdField;

/// A `#[version]`, `#[created_at]` or `#[updated_at]` field, which this crate sets.
pub struct Managed;

/// A `#[denormalize(..)]` field, which the writes of its source set.
pub struct Copied;

/// A `#[subset(..)]` or `#[computed(..)]` field, which the writes of the children set.
pub struct RolledUp;

/// The mirror of a `two_way` relation, which the writes of the far side set.
pub struct Mirrored;

/// A `#[history(..)]` field, which [`record`](crate::operation::Update::record) adds to.
pub struct Recorded;

/// The same, whose entries hold from a time to a time.
pub struct RecordedIntervals;

/// A field of the `#[shard_key(..)]`, which updates leave as it is.
pub struct Sharded;

/// A `#[tree(..)]` field, which inserts and moves set.
pub struct InTree;

/// A field that says in which bucket a child is, and where in it.
pub struct Placed;

/// The tag of an enum, which says what the rest of it is.
pub struct TagField;

/// An `#[opaque]` field; `A` says who may change it.
pub struct Foreign<A>(PhantomData<fn() -> A>);

/// An `#[opaque]` field that serde writes by a function; `A` says who may change it.
pub struct Converted<A>(PhantomData<fn() -> A>);

macro_rules! kinds {
    ($($kind:ident)*) => {$(
        impl<T: Field> FieldKind<T> for $kind {
            type Class = T::Class;
            type Access = $kind;
            const SHAPE: Option<&'static Shape> = Some(&T::SHAPE);
        }
    )*};
}

kinds! { Plain IdField Managed Copied RolledUp Mirrored Sharded Recorded RecordedIntervals InTree TagField Placed }

impl<T, A: 'static> FieldKind<T> for Foreign<A> {
    type Class = class::Opaque;
    type Access = A;
    const SHAPE: Option<&'static Shape> = None;
}

impl<T, A: 'static> FieldKind<T> for Converted<A> {
    type Class = class::OpaqueByFunction;
    type Access = A;
    const SHAPE: Option<&'static Shape> = None;
}

impl<M, T, P, K> Clone for FieldToken<M, T, P, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, T, P, K> Copy for FieldToken<M, T, P, K> {}

impl<M, T, P, K> FieldToken<M, T, P, K> {
    /// The token, which holds nothing.
    pub const NEW: Self = FieldToken(PhantomData);
}

/// The fields inside of it.
impl<M: 'static, T: Field, P: Path, K: FieldKind<T>> Deref for FieldToken<M, T, P, K> {
    type Target = T::Nested<M, P, K::Access>;

    fn deref(&self) -> &Self::Target {
        Self::Target::TOKENS
    }
}

impl<M, T, P: Path, K: FieldKind<T>> Token for FieldToken<M, T, P, K> {
    type Model = M;
    type Value = T;
    type Path = P;
    type Class = K::Class;
    const SHAPE: Option<&'static Shape> = K::SHAPE;
    type Access = K::Access;
}

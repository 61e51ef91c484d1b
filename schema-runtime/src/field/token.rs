//! The token of a field: the model, the type and the path of the field.

use std::{marker::PhantomData, ops::Deref};

use derive_where::derive_where;

use super::{Field, Filter, Path, PathNode, Place, Record, Root, class};
use crate::{definition::Shape, error::Result};

/// The tokens of the fields of one struct: the type of `Person::F`, and of the fields inside of `Person::F.home`.
pub trait NestedTokens: Sized + 'static {
    /// The tokens.
    const NEW: Self;
    /// A static reference to the tokens.
    const TOKENS: &'static Self;
}

/// The fields inside of a type without named fields: a number, a string, a map.
pub struct NoFields;

impl NestedTokens for NoFields {
    const NEW: Self = NoFields;
    const TOKENS: &'static Self = &NoFields;
}

/// The token of a field: a [`Place`] with a path that the type knows. The query operators of a token are in
/// [`QueryOperators`](super::QueryOperators).
#[diagnostic::on_unimplemented(
    message = "this is not a stored field",
    label = "no stored field",
    note = "help: write a field of a model, as `Person::F.name`; of a flat struct (`#[embed(flat)]`) the fields are stored: `Person::F.home.city`"
)]
pub trait Token: Place {}

/// The field of type `T` at `P` in the model `M`; `K` is the right to change the field and the known facts about the
/// type. The fields of an embedded struct are fields of the token: `Person::F.home.city`.
#[derive_where(Clone, Copy)]
pub struct FieldToken<M, T, P, K = Plain>(Marker<M, T, P, K>);

/// The token of a flat field of type `T` in the struct at `P`. The fields of `T` are stored beside the fields of that
/// struct, so that the token is no field: the fields of the token are fields, `Person::F.home.city`.
#[derive_where(Clone, Copy)]
pub struct FlatToken<M, T, P, K = Plain>(Marker<M, T, P, K>);

/// A marker that neither owns nor borrows values of the types.
type Marker<M, T, P, K> = PhantomData<fn() -> (M, T, P, K)>;

/// The element of an array of `E`, in the place of a model.
pub struct Element<E>(PhantomData<fn() -> E>);

/// The token of an element of an array.
pub type ElementToken<E> = FieldToken<Element<E>, E, Root>;

/// The kind of a field: the known facts beside the type.
pub trait FieldKind<T> {
    /// The class of the type: the operators that fit the field.
    type Class;
    /// The right to change the field, as a type.
    type Access: 'static;
    /// The stored shape of the field; `None` for an `#[opaque]` field.
    #[doc(hidden)]
    const SHAPE: Option<&'static Shape>;
}

/// A field that updates may change.
pub struct Plain;

/// The `_id`, a field that never changes.
pub struct IdField;

/// A `#[version]`, `#[created_at]` or `#[updated_at]` field, set by this crate.
pub struct Managed;

/// A `#[denormalize(..)]` field, set by the writes of the source.
pub struct Copied;

/// A `#[subset(..)]` or `#[computed(..)]` field, set by the writes of the children.
pub struct RolledUp;

/// The mirror of a `two_way` relation, set by the writes of the far side.
pub struct Mirrored;

/// A `#[history(..)]` field; [`record`](crate::operation::Update::record) adds entries.
pub struct Recorded;

/// A `#[history(..)]` field with entries that hold from a time to a time.
pub struct RecordedIntervals;

/// A field of the `#[shard_key(..)]`. Updates leave a shard key unchanged.
pub struct Sharded;

/// A `#[tree(..)]` field, set by inserts and moves.
pub struct InTree;

/// A field that gives the bucket of a child, or the position of the child in the bucket.
pub struct Placed;

/// A `#[hidden]` field, which a read gets only by name.
pub struct HiddenField;

/// A `#[hidden]` field with `#[immutable]`.
pub struct HiddenImmutable;

/// An `#[immutable]` field, which only an insert sets.
pub struct Immutable;

/// The tag of an enum: the name of the stored variant.
pub struct TagField;

/// An `#[opaque]` field; `A` is the right to change the field.
pub struct Foreign<A>(PhantomData<fn() -> A>);

/// An `#[opaque]` field that serde writes by a function; `A` is the right to change the field.
pub struct Converted<A>(PhantomData<fn() -> A>);

/// A `#[stored_as(..)]` field, number `INDEX` of the struct `R`: serde writes the field as a value of the type `S`. `A`
/// is the right to change the field.
pub struct StoredAsField<A, S, R, const INDEX: usize>(Declared<A, S, R>);

/// A `#[stored_as(..)]` field that serde writes or reads by a function.
pub struct StoredByFunction<A, S, R, const INDEX: usize>(Declared<A, S, R>);

/// A marker of the parts of a declaration.
type Declared<A, S, R> = PhantomData<fn() -> (A, S, R)>;

macro_rules! kinds {
    ($($kind:ident)*) => {$(
        impl<T: Field> FieldKind<T> for $kind {
            type Class = T::Class;
            type Access = $kind;
            const SHAPE: Option<&'static Shape> = Some(&T::SHAPE);
        }
    )*};
}

kinds! { Plain IdField Managed Copied RolledUp Mirrored Sharded Recorded RecordedIntervals InTree TagField Placed HiddenField HiddenImmutable Immutable }

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

impl<T, A: 'static, S: Field, R: Record, const INDEX: usize> FieldKind<T> for StoredAsField<A, S, R, INDEX> {
    type Class = S::Class;
    type Access = A;
    const SHAPE: Option<&'static Shape> = Some(&R::FIELDS[INDEX].shape);
}

impl<T, A: 'static, S: Field, R: Record, const INDEX: usize> FieldKind<T> for StoredByFunction<A, S, R, INDEX> {
    type Class = class::ByFunction<S::Class>;
    type Access = A;
    const SHAPE: Option<&'static Shape> = Some(&R::FIELDS[INDEX].shape);
}

impl<M, T, P, K> FieldToken<M, T, P, K> {
    /// The token, a value without data.
    pub const NEW: Self = FieldToken(PhantomData);
}

impl<M, T, P, K> FlatToken<M, T, P, K> {
    /// The token, a value without data.
    pub const NEW: Self = FlatToken(PhantomData);
}

/// Gives the message of [`Token`] also for the methods whose names the traits of the standard library have.
macro_rules! no_conditions {
    ($($name:ident)*) => {
        #[doc(hidden)]
        #[allow(missing_docs, clippy::should_implement_trait)]
        impl<M, T, P, K> FlatToken<M, T, P, K> {
            $(pub fn $name<V>(self, _: V) -> Filter<M>
            where
                Self: Token,
            {
                Filter::all()
            })*
        }
    };
}

no_conditions! { eq ne gt lt }

/// Gives the tokens of the fields of the struct.
impl<M: 'static, T: Field, P: Path, K: 'static> Deref for FlatToken<M, T, P, K> {
    type Target = T::Nested<M, P, K>;

    fn deref(&self) -> &Self::Target {
        Self::Target::TOKENS
    }
}

/// Gives the tokens of the fields inside of the field.
impl<M: 'static, T: Field, P: Path, K: FieldKind<T>> Deref for FieldToken<M, T, P, K> {
    type Target = T::Nested<M, P, K::Access>;

    fn deref(&self) -> &Self::Target {
        Self::Target::TOKENS
    }
}

impl<M, T, P: Path, K: FieldKind<T>> Place for FieldToken<M, T, P, K> {
    type Model = M;
    type Value = T;
    type Path = P;
    type Class = K::Class;
    type Access = K::Access;
    const SHAPE: Option<&'static Shape> = K::SHAPE;

    fn with_node<R>(self, visit: impl FnOnce(&PathNode<'_>) -> R) -> Result<R> {
        Ok(visit(&P::NODE))
    }
}

impl<M, T, P: Path, K: FieldKind<T>> Token for FieldToken<M, T, P, K> {}

/// The right to change a value inside of a value that has this right. `A` is the right that the field inside has alone.
#[doc(hidden)]
pub trait Narrow<A> {
    /// The right to change the field inside.
    type Access;
}

impl<A> Narrow<A> for Plain {
    type Access = A;
}

macro_rules! whole {
    ($($kind:ident)*) => {$(
        impl<A> Narrow<A> for $kind {
            type Access = $kind;
        }
    )*};
}

whole! { IdField Managed Copied RolledUp Mirrored Sharded Recorded RecordedIntervals InTree TagField Placed HiddenImmutable Immutable }

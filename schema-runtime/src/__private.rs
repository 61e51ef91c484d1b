//! The one door for derived code. Nothing in here is for people: it may change in any release.

use std::marker::PhantomData;

pub use mongodb::bson::oid::ObjectId;

pub use crate::{
    bounds::{Field, Reference, References},
    checks::*,
    definition::*,
    field::{FieldToken, Path, Projection, Root, Segment, Token},
    model::{Embed, Model, Record},
    relation::{ChildRefs, ChildRefsOf, Children, ChildrenOf, Embedded, ParentRef, ParentRefOf},
};

/// The model that a type refers to.
pub type TargetOf<T> = <T as References>::Target;

/// Keeps the parameters of a struct of tokens in use.
pub type Marker<T> = PhantomData<fn() -> T>;

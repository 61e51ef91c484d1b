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

/// The names that derived code writes most, each of which no user's item has.
pub mod names {
    pub use super::{
        ChildRefs as __ChildRefs, ChildRefsOf as __ChildRefsOf, Children as __Children, ChildrenOf as __ChildrenOf,
        Embedded as __Embedded, Field as __Field, FieldDefinition as __Stored, FieldToken as __Token,
        IndexDefinition as __Index, IndexKey as __Key, ModelDefinition as __Definition, ParentRef as __ParentRef,
        ParentRefOf as __ParentRefOf, References as __References, RelationDefinition as __Relation, Target as __Target,
        TargetOf as __To,
    };
    pub use crate::__private as __schema;
    pub use crate::definition::{
        Cardinality::{
            OneToFew as __OneToFew, OneToMany as __OneToMany, OneToOne as __OneToOne,
            OneToSquillions as __OneToSquillions,
        },
        Storage::{ChildRefs as __StoredRefs, Embed as __StoredInside, ParentRef as __StoredRef},
    };
}

//! What derived code may name of this crate, and nothing else. Nothing in here is for people: it may change in any
//! release.

use std::marker::PhantomData;

pub use ::serde;
pub use mongodb::bson::{Bson, DateTime, Document, RawDocumentBuf, oid::ObjectId};

pub use crate::{
    aggregate::{Aggregation, declared::declared_groups},
    bounds::{
        AutoValue, Hidden, IntoId, PathOf, Ref, Reference, References, SequenceNumber, reference_value, unloaded,
    },
    bucket::{Bucketed, ByArrival, ByTime},
    checks::*,
    definition::variants::{merged, merged_len},
    definition::*,
    error::{FailedRule, Result},
    executor::{Expected, assert_commands},
    field::{
        Changes, Converted, Copied, Decodes, Encoded, Encodes, Field, FieldToken, FlatToken, Foreign, HiddenField,
        HiddenImmutable, IdField, Immutable, InTree, InVariant, IntoValue, Managed, Mirrored, NestedTokens, NoFields,
        OneValue, Path, Placed, Plain, QueryOperators, Record, Recorded, RecordedIntervals, RolledUp, Root, Segment,
        Sharded, StoredAsField, StoredByFunction, TagField, Tagged, all_fitting, class,
        filter::{Filter, slug_filter},
        fitting, fitting_item, fitting_range,
        history::history_at,
        patches::{Patch, PatchOf, PatchShape, PatchShapeOfAny, add_patch_field},
        stored::{Described, ExtraHolder},
        text_search::TextIndexed,
    },
    model::{
        Aggregate, AggregateSource, Embed, FacetCounts, Facets, FieldDecodeError, Filled, HasOwnDocument,
        InsertsDocuments, Merged, Model, Projection, RelationOfRows, TopRow, TopRows, UpdatesDocuments, ViewOfGroups,
    },
    operation::{
        Find, FindPage, Operations, Tree, declared_as,
        find::{declared, pages_of},
        managed::{set_managed, set_managed_by},
        new_value::{NewValue, Unnumbered, encode_new},
    },
    refusal::{Judges, of_garde, of_validator},
    relation::{
        Child, ChildOf, ChildRefs, ChildRefsOf, Children, ChildrenOf, Embedded, ParentRef, ParentRefOf,
        children::order::is_newest_first,
    },
};

/// The model that a type refers to.
pub type TargetOf<T> = <T as References>::Target;

/// The type of an element of an array of this type.
pub type ElementOf<T> = <<T as Field>::Class as class::ArrayOf<T>>::Item;

/// The type that a function of `#[check(with = ..)]` judges, in a field of this type.
pub type JudgedOf<T> = <<T as Field>::Class as class::JudgedBy<T>>::Value;

/// A mistake that the derive has reported: `MESSAGE` is the same message, and does not compile.
pub struct Mistake<const MESSAGE: bool>;

/// A type that a mistake leaves unknown. rustc makes no type of a [`Mistake`], and reports nothing of its uses.
pub trait Unknown {
    /// The type.
    type Type;
}

impl<const MESSAGE: bool> Unknown for Mistake<MESSAGE> {
    type Type = ();
}

/// Keeps the parameters of a struct of tokens in use.
pub type Marker<T> = PhantomData<fn() -> T>;

/// A token, made by a path that covers the whole type that it is of: rustc says once, there, what is wrong with that.
pub const fn field_token<M, T, P, K>() -> FieldToken<M, T, P, K> {
    FieldToken::NEW
}

/// The token of a flat field.
pub const fn flat_token<M, T, P, K>() -> FlatToken<M, T, P, K> {
    FlatToken::NEW
}

/// How a struct of tokens is made and copied.
#[doc(hidden)]
#[macro_export]
macro_rules! __tokens {
    ($name:ident [$($parameters:tt)*] [$($names:tt)*] [$($conditions:tt)*] [$($made:tt)*]) => {
        impl<__M, __P, __K, $($parameters)*> ::core::clone::Clone for $name<__M, __P, __K, $($names)*> $($conditions)* {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<__M, __P, __K, $($parameters)*> ::core::marker::Copy for $name<__M, __P, __K, $($names)*> $($conditions)* {}
        impl<__M: 'static, __P: 'static, __K: 'static, $($parameters)*> $crate::__private::NestedTokens
            for $name<__M, __P, __K, $($names)*> $($conditions)*
        {
            const NEW: Self = $name { $($made)* __schema: ::core::marker::PhantomData };
            const TOKENS: &'static Self = &Self::NEW;
        }
    };
}
pub use crate::__tokens as tokens;

/// The code of a derive as it is.
#[doc(hidden)]
#[macro_export]
macro_rules! __generated {
    ($($code:tt)*) => { $($code)* };
}
pub use crate::__generated as generated;
pub use schema_derive::schema;

/// The names that derived code writes most, each of which no user's item has.
pub mod names {
    pub use super::{
        Child as __Child, ChildOf as __ChildOf, ChildRefs as __ChildRefs, ChildRefsOf as __ChildRefsOf,
        Children as __Children, ChildrenOf as __ChildrenOf, Embedded as __Embedded, Field as __Field,
        FieldDefinition as __Stored, FieldToken as __Token, IndexDefinition as __Index, IndexKey as __Key,
        IntoId as __IntoId, ModelDefinition as __Definition, ParentRef as __ParentRef, ParentRefOf as __ParentRefOf,
        PatchShapeOfAny as _, QueryOperators as _, References as __References, RelationDefinition as __Relation,
        Target as __Target, TargetOf as __To,
    };
    pub use crate::__private as __schema;
    pub use crate::definition::{
        Cardinality::{
            ManyToMany as __ManyToMany, OneToFew as __OneToFew, OneToMany as __OneToMany, OneToOne as __OneToOne,
            OneToSquillions as __OneToSquillions,
        },
        Storage::{
            ChildRefs as __StoredRefs, Embed as __StoredInside, OneWay as __StoredOneWay, ParentRef as __StoredRef,
            TwoWay as __StoredTwoWay,
        },
    };
}

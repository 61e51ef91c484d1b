//! Relations, and the facts of each cardinality and each storage.
//!
//! The rest of the crate asks these facts and compares no cardinality or storage itself: each is one exhaustive `match`, so that a
//! new kind does not compile until all are answered.

use proc_macro2::Ident;
use syn::Expr;

use super::{Allow, Number, OrderKey};
use crate::words::words;

pub(crate) struct Relation {
    pub(crate) cardinality: Cardinality,
    pub(crate) cardinality_tokens: Expr,
    pub(crate) storage: Storage,
    pub(crate) storage_tokens: Expr,
    pub(crate) max: Option<Number>,
    pub(crate) order: Vec<OrderKey>,
    pub(crate) inverse: Option<Ident>,
    /// The field that refers, where the field holds extended references.
    pub(crate) by: Option<Ident>,
    pub(crate) allows: Vec<Allow>,
}

words! {
    /// How many there may be on the far side.
    #[allow(clippy::enum_variant_names, reason = "the field's own words")]
    pub(crate) enum Cardinality {
        OneToOne = "one_to_one",
        OneToFew = "one_to_few",
        OneToMany = "one_to_many",
        OneToSquillions = "one_to_squillions",
    }
}

words! {
    /// What is stored of the far side.
    pub(crate) enum Storage {
        Embed = "embed",
        ChildRefs = "child_refs",
        ParentRef = "parent_ref",
    }
}

impl Cardinality {
    /// The storages that serve it.
    pub(crate) fn storages(self) -> &'static [Storage] {
        match self {
            Cardinality::OneToOne => &[Storage::Embed, Storage::ParentRef],
            Cardinality::OneToFew => &[Storage::Embed, Storage::ChildRefs],
            Cardinality::OneToMany => &[Storage::ChildRefs, Storage::ParentRef],
            Cardinality::OneToSquillions => &[Storage::ParentRef],
        }
    }

    /// Whether there may be more than one.
    pub(crate) fn is_many(self) -> bool {
        match self {
            Cardinality::OneToOne => false,
            Cardinality::OneToFew | Cardinality::OneToMany | Cardinality::OneToSquillions => true,
        }
    }

    /// Whether there may be any number: no array has room for them, not even for their ids.
    pub(crate) fn is_without_limit(self) -> bool {
        match self {
            Cardinality::OneToOne | Cardinality::OneToFew | Cardinality::OneToMany => false,
            Cardinality::OneToSquillions => true,
        }
    }
}

impl Storage {
    /// Whether the far side is stored inside this document.
    pub(crate) fn nests(self) -> bool {
        match self {
            Storage::Embed => true,
            Storage::ChildRefs | Storage::ParentRef => false,
        }
    }

    /// Whether what is stored refers to documents of another collection.
    pub(crate) fn refers(self) -> bool {
        match self {
            Storage::Embed => false,
            Storage::ChildRefs | Storage::ParentRef => true,
        }
    }

    /// Whether it is an array, which has a `max`.
    pub(crate) fn is_array(self, cardinality: Cardinality) -> bool {
        match self {
            Storage::Embed => cardinality.is_many(),
            Storage::ChildRefs => true,
            Storage::ParentRef => false,
        }
    }

    /// Whether the far side may have an accessor that reads the relation back.
    pub(crate) fn has_far_side(self) -> bool {
        match self {
            Storage::Embed => false,
            Storage::ChildRefs | Storage::ParentRef => true,
        }
    }

    /// Whether the far side reads its children in an order that the relation declares.
    pub(crate) fn may_order(self) -> bool {
        match self {
            Storage::Embed | Storage::ChildRefs => false,
            Storage::ParentRef => true,
        }
    }

    /// Whether a field of an embedded struct may store it.
    pub(crate) fn may_be_nested(self) -> bool {
        match self {
            Storage::Embed => true,
            Storage::ChildRefs | Storage::ParentRef => false,
        }
    }

    /// Whether the far side may keep a subset or a number of those that refer to it, each by one reference.
    pub(crate) fn may_be_rolled_up(self) -> bool {
        match self {
            Storage::Embed | Storage::ChildRefs => false,
            Storage::ParentRef => true,
        }
    }

    /// A `max` as an example.
    pub(crate) fn example_max(self) -> &'static str {
        match self {
            Storage::Embed => "20",
            Storage::ChildRefs | Storage::ParentRef => "1_000",
        }
    }

    /// A type that stores it, as an example.
    pub(crate) fn example_type(self) -> &'static str {
        match self {
            Storage::Embed => "Vec<Address>",
            Storage::ChildRefs => "Vec<Ref<Part>>",
            Storage::ParentRef => "Ref<Host>",
        }
    }
}

impl Relation {
    /// Whether its field holds an array.
    pub(crate) fn is_array(&self) -> bool {
        self.storage.is_array(self.cardinality)
    }
}

//! Relations, and the facts of each cardinality and each storage.
//!
//! The rest of the crate asks these facts and compares no cardinality or storage itself: each is one exhaustive `match`, so that a
//! new kind does not compile until all are answered.

use proc_macro2::Ident;
use syn::{Expr, Path};

use super::{Allow, Number, OrderKey};
use crate::{
    parse::{Literal, collection_literal, is_reference},
    words::words,
};

pub(crate) struct Relation {
    pub(crate) cardinality: Cardinality,
    pub(crate) cardinality_tokens: Expr,
    pub(crate) storage: Storage,
    pub(crate) storage_tokens: Expr,
    pub(crate) max: Option<Number>,
    pub(crate) order: Vec<OrderKey>,
    pub(crate) inverse: Option<Ident>,
    /// The relation that it mirrors: `of = Task::owner`.
    pub(crate) of: Option<MirrorOf>,
    pub(crate) on_delete: Option<OnDelete>,
    /// Why what could be embedded is not, with the user's word.
    pub(crate) apart: Option<(Apart, Expr)>,
    /// The field that refers, where the field holds extended references.
    pub(crate) by: Option<Ident>,
    pub(crate) allows: Vec<Allow>,
}

impl Relation {
    /// The parent of a document in the same collection.
    pub(crate) fn to_parent(tokens: &Expr) -> Relation {
        Relation::standalone(Cardinality::OneToSquillions, Storage::ParentRef, tokens)
    }

    /// All its ancestors.
    pub(crate) fn to_ancestors(tokens: &Expr) -> Relation {
        Relation::standalone(Cardinality::OneToFew, Storage::ChildRefs, tokens)
    }

    fn standalone(cardinality: Cardinality, storage: Storage, tokens: &Expr) -> Relation {
        Relation {
            cardinality,
            cardinality_tokens: tokens.clone(),
            storage,
            storage_tokens: tokens.clone(),
            max: None,
            order: Vec::new(),
            inverse: None,
            of: None,
            on_delete: None,
            apart: Some((Apart::Standalone, tokens.clone())),
            by: None,
            allows: Vec::new(),
        }
    }
}

/// The relation of the far side that is written, of which this field holds the other end.
pub(crate) struct MirrorOf {
    pub(crate) child: Path,
    pub(crate) field: Ident,
    /// `Task::owner`, as written.
    pub(crate) tokens: Expr,
}

/// `on_delete = cascade`
pub(crate) struct OnDelete {
    pub(crate) rule: DeleteRule,
    pub(crate) tokens: Ident,
}

words! {
    /// Why what could be embedded has a collection of its own.
    pub(crate) enum Apart {
        Standalone = "standalone",
        Large = "large",
        SeldomRead = "seldom_read",
    }
}

words! {
    /// What a delete does to those that refer to the deleted document.
    pub(crate) enum DeleteRule {
        NoAction = "no_action",
        Restrict = "restrict",
        Cascade = "cascade",
        Nullify = "nullify",
        Pull = "pull",
    }
}

words! {
    /// How many there may be on the far side.
    #[allow(clippy::enum_variant_names, reason = "the field's own words")]
    pub(crate) enum Cardinality {
        OneToOne = "one_to_one",
        OneToFew = "one_to_few",
        OneToMany = "one_to_many",
        OneToSquillions = "one_to_squillions",
        ManyToMany = "many_to_many",
    }
}

words! {
    /// What is stored of the far side.
    pub(crate) enum Storage {
        Embed = "embed",
        ChildRefs = "child_refs",
        ParentRef = "parent_ref",
        OneWay = "one_way",
        TwoWay = "two_way",
    }
}

impl Cardinality {
    /// The storages that serve it.
    pub(crate) fn storages(self) -> &'static [Storage] {
        match self {
            Cardinality::OneToOne => &[Storage::Embed, Storage::ParentRef],
            Cardinality::OneToFew => &[Storage::Embed, Storage::ChildRefs],
            Cardinality::OneToMany => &[Storage::ChildRefs, Storage::ParentRef, Storage::TwoWay],
            Cardinality::OneToSquillions => &[Storage::ParentRef],
            Cardinality::ManyToMany => &[Storage::OneWay, Storage::TwoWay],
        }
    }

    /// Whether a single reference to the parent may store the relation.
    pub(crate) fn may_store_a_parent(self) -> bool {
        self.storages().contains(&Storage::ParentRef)
    }

    /// Whether a list of references to children may store the relation.
    pub(crate) fn may_store_children(self) -> bool {
        self.storages().contains(&Storage::ChildRefs)
    }

    /// Whether there may be more than one.
    pub(crate) fn is_many(self) -> bool {
        match self {
            Cardinality::OneToOne => false,
            Cardinality::OneToFew | Cardinality::OneToMany | Cardinality::OneToSquillions | Cardinality::ManyToMany => {
                true
            }
        }
    }

    /// Whether there may be any number: no array can hold them, not even for their ids.
    pub(crate) fn is_without_limit(self) -> bool {
        match self {
            Cardinality::OneToOne | Cardinality::OneToFew | Cardinality::OneToMany | Cardinality::ManyToMany => false,
            Cardinality::OneToSquillions => true,
        }
    }
}

impl Cardinality {
    /// Whether there may be more than one on both sides.
    pub(crate) fn is_many_to_many(self) -> bool {
        match self {
            Cardinality::OneToOne | Cardinality::OneToFew | Cardinality::OneToMany | Cardinality::OneToSquillions => {
                false
            }
            Cardinality::ManyToMany => true,
        }
    }
}

impl Storage {
    /// Whether the far side is stored inside this document.
    pub(crate) fn nests(self) -> bool {
        match self {
            Storage::Embed => true,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => false,
        }
    }

    /// Whether what is stored refers to documents of another collection.
    pub(crate) fn refers(self) -> bool {
        match self {
            Storage::Embed => false,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => true,
        }
    }

    /// Whether it is an array, which has a `max`. Of a relation with two ends the mirror (`of = ..`) always is.
    pub(crate) fn is_array(self, cardinality: Cardinality, is_mirror: bool) -> bool {
        match self {
            Storage::Embed => cardinality.is_many(),
            Storage::ChildRefs | Storage::OneWay => true,
            Storage::ParentRef => false,
            Storage::TwoWay => is_mirror || cardinality.is_many_to_many(),
        }
    }

    /// Whether the far side may have an accessor that reads the relation back.
    pub(crate) fn has_far_side(self) -> bool {
        match self {
            Storage::Embed => false,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => true,
        }
    }

    /// Whether the relation must say what the far side calls it.
    pub(crate) fn needs_far_side(self) -> bool {
        match self {
            Storage::Embed | Storage::ChildRefs | Storage::ParentRef => false,
            Storage::OneWay | Storage::TwoWay => true,
        }
    }

    /// Whether both sides store it, so that one is written and the other mirrors it.
    pub(crate) fn is_mirrored(self) -> bool {
        match self {
            Storage::Embed | Storage::ChildRefs | Storage::ParentRef | Storage::OneWay => false,
            Storage::TwoWay => true,
        }
    }

    /// Whether its elements may be extended references, with a reference inside.
    pub(crate) fn may_be_extended(self) -> bool {
        match self {
            Storage::Embed | Storage::TwoWay => false,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay => true,
        }
    }

    /// Whether the far side reads its children in an order that the relation declares.
    pub(crate) fn may_order(self) -> bool {
        match self {
            Storage::Embed => false,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => true,
        }
    }

    /// Whether a field of an embedded struct may store it.
    pub(crate) fn may_be_nested(self) -> bool {
        match self {
            Storage::Embed => true,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => false,
        }
    }

    /// Whether documents of this cardinality would better be embedded, unless something speaks against it.
    pub(crate) fn could_be_embedded(self, cardinality: Cardinality) -> bool {
        let storages = cardinality.storages();
        self.refers() && storages.contains(&self) && storages.iter().any(|storage| storage.nests())
    }

    /// A `max` as an example.
    pub(crate) fn example_max(self) -> &'static str {
        match self {
            Storage::Embed => "20",
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => "1_000",
        }
    }

    /// A type that stores it, as an example.
    pub(crate) fn example_type(self) -> &'static str {
        match self {
            Storage::Embed => "Vec<Address>",
            Storage::ChildRefs => "Vec<Ref<Part>>",
            Storage::ParentRef => "Ref<Host>",
            Storage::OneWay => "Vec<Ref<Category>>",
            Storage::TwoWay => "Vec<Ref<Author>>",
        }
    }
}

impl Relation {
    /// Whether its field holds an array.
    pub(crate) fn is_array(&self) -> bool {
        self.storage.is_array(self.cardinality, self.is_mirror())
    }

    /// Whether the crate keeps it in agreement with the relation of the far side, which is the one that is written.
    pub(crate) fn is_mirror(&self) -> bool {
        self.of.is_some()
    }
}

/// Why a type, as far as its tokens say, is not that of the storage of its relation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// One reference, and a struct is embedded.
    EmbedsReference,
    /// References, and structs are embedded.
    EmbedsReferences,
    /// One reference, and the storage is a list.
    NoList,
    /// References, and the storage is one.
    List,
}

impl super::Field {
    /// What its type and its relation say against each other.
    pub(crate) fn misfit(&self) -> Option<Misfit> {
        let relation = self.relation()?;
        let (nests, is_array) = (relation.storage.nests(), relation.is_array());
        let is_list = match collection_literal(&self.ty) {
            Some(Literal::Array(item)) => is_reference(item),
            _ => false,
        };
        match (is_reference(&self.ty), is_list) {
            (true, _) if nests => Some(Misfit::EmbedsReference),
            (true, _) => is_array.then_some(Misfit::NoList),
            (_, true) if nests => is_array.then_some(Misfit::EmbedsReferences),
            (_, true) => (!is_array).then_some(Misfit::List),
            (false, false) => None,
        }
    }
}

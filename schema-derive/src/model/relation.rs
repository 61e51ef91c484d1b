//! Relations, and the facts of each cardinality and each storage.
//!
//! The rest of the crate asks for facts, and compares no cardinality or storage. Each fact is an exhaustive `match`, so
//! that a new kind does not compile until all facts are answered.

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
    /// The relation that this relation mirrors: `of = Task::owner`.
    pub(crate) of: Option<MirrorOf>,
    pub(crate) on_delete: Option<OnDelete>,
    /// The reason against embedding, for documents that could be embedded, with the user's word.
    pub(crate) apart: Option<(Apart, Expr)>,
    /// The field inside of the extended references that refers, when the field holds extended references.
    pub(crate) by: Option<Ident>,
    pub(crate) allows: Vec<Allow>,
}

impl Relation {
    /// Returns the relation from a document to the parent in the same collection.
    pub(crate) fn to_parent(tokens: &Expr) -> Relation {
        Relation::standalone(Cardinality::OneToSquillions, Storage::ParentRef, tokens)
    }

    /// Returns the relation from a document to all ancestors.
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

/// The relation of the far side that is written. The field with `of` holds the mirrored end of the relation.
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
    /// The reason why documents that could be embedded have a separate collection.
    pub(crate) enum Apart {
        Standalone = "standalone",
        Large = "large",
        SeldomRead = "seldom_read",
    }
}

words! {
    /// The effect of a delete on the documents that refer to the deleted document.
    pub(crate) enum DeleteRule {
        NoAction = "no_action",
        Restrict = "restrict",
        Cascade = "cascade",
        Nullify = "nullify",
        Pull = "pull",
    }
}

words! {
    /// How many documents may be on the far side.
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
    /// How the far side is stored.
    pub(crate) enum Storage {
        Embed = "embed",
        ChildRefs = "child_refs",
        ParentRef = "parent_ref",
        OneWay = "one_way",
        TwoWay = "two_way",
    }
}

impl Cardinality {
    /// Returns the storages that serve the cardinality.
    pub(crate) fn storages(self) -> &'static [Storage] {
        match self {
            Cardinality::OneToOne => &[Storage::Embed, Storage::ParentRef],
            Cardinality::OneToFew => &[Storage::Embed, Storage::ChildRefs],
            Cardinality::OneToMany => &[Storage::ChildRefs, Storage::ParentRef, Storage::TwoWay],
            Cardinality::OneToSquillions => &[Storage::ParentRef],
            Cardinality::ManyToMany => &[Storage::OneWay, Storage::TwoWay],
        }
    }

    /// Returns whether a single reference to the parent may store the relation.
    pub(crate) fn may_store_a_parent(self) -> bool {
        self.storages().contains(&Storage::ParentRef)
    }

    /// Returns whether a list of references to children may store the relation.
    pub(crate) fn may_store_children(self) -> bool {
        self.storages().contains(&Storage::ChildRefs)
    }

    /// Returns whether the far side may have several documents.
    pub(crate) fn is_many(self) -> bool {
        match self {
            Cardinality::OneToOne => false,
            Cardinality::OneToFew | Cardinality::OneToMany | Cardinality::OneToSquillions | Cardinality::ManyToMany => {
                true
            }
        }
    }

    /// Returns whether the far side may have any number of documents: no array can hold the documents, not even the
    /// ids.
    pub(crate) fn is_without_limit(self) -> bool {
        match self {
            Cardinality::OneToOne | Cardinality::OneToFew | Cardinality::OneToMany | Cardinality::ManyToMany => false,
            Cardinality::OneToSquillions => true,
        }
    }
}

impl Cardinality {
    /// Returns whether both sides may have several documents.
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
    /// Returns whether the far side is stored inside this document.
    pub(crate) fn nests(self) -> bool {
        match self {
            Storage::Embed => true,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => false,
        }
    }

    /// Returns whether the stored value refers to documents of another collection.
    pub(crate) fn refers(self) -> bool {
        match self {
            Storage::Embed => false,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => true,
        }
    }

    /// Returns whether the storage is an array, and so has a `max`. The mirror (`of = ..`) of a relation with two ends
    /// is always an array.
    pub(crate) fn is_array(self, cardinality: Cardinality, is_mirror: bool) -> bool {
        match self {
            Storage::Embed => cardinality.is_many(),
            Storage::ChildRefs | Storage::OneWay => true,
            Storage::ParentRef => false,
            Storage::TwoWay => is_mirror || cardinality.is_many_to_many(),
        }
    }

    /// Returns whether the far side may have an accessor that reads the relation back.
    pub(crate) fn has_far_side(self) -> bool {
        match self {
            Storage::Embed => false,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => true,
        }
    }

    /// Returns whether the relation must name the accessor or the field on the far side.
    pub(crate) fn needs_far_side(self) -> bool {
        match self {
            Storage::Embed | Storage::ChildRefs | Storage::ParentRef => false,
            Storage::OneWay | Storage::TwoWay => true,
        }
    }

    /// Returns whether both sides store the relation. The application writes the first side, and the second side
    /// mirrors the first.
    pub(crate) fn is_mirrored(self) -> bool {
        match self {
            Storage::Embed | Storage::ChildRefs | Storage::ParentRef | Storage::OneWay => false,
            Storage::TwoWay => true,
        }
    }

    /// Returns whether the elements may be extended references, with a reference inside.
    pub(crate) fn may_be_extended(self) -> bool {
        match self {
            Storage::Embed | Storage::TwoWay => false,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay => true,
        }
    }

    /// Returns whether the far side reads the children in an order that the relation declares.
    pub(crate) fn may_order(self) -> bool {
        match self {
            Storage::Embed => false,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => true,
        }
    }

    /// Returns whether a field of an embedded struct may store the relation.
    pub(crate) fn may_be_nested(self) -> bool {
        match self {
            Storage::Embed => true,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => false,
        }
    }

    /// Returns whether documents of this cardinality should be embedded, unless a reason speaks against embedding.
    pub(crate) fn could_be_embedded(self, cardinality: Cardinality) -> bool {
        let storages = cardinality.storages();
        self.refers() && storages.contains(&self) && storages.iter().any(|storage| storage.nests())
    }

    /// Returns an example of a `max`.
    pub(crate) fn example_max(self) -> &'static str {
        match self {
            Storage::Embed => "20",
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => "1_000",
        }
    }

    /// Returns an example of a type that stores the relation.
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
    /// Returns whether the field of the relation holds an array.
    pub(crate) fn is_array(&self) -> bool {
        self.storage.is_array(self.cardinality, self.is_mirror())
    }

    /// Returns whether the relation is a mirror. Writes go to the relation of the far side, and the crate keeps the
    /// mirror in agreement.
    pub(crate) fn is_mirror(&self) -> bool {
        self.of.is_some()
    }
}

/// The conflict between a type and the storage of the relation, as far as the tokens of the type say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// The type is a single reference, and the relation embeds a struct.
    EmbedsReference,
    /// The type holds references, and the relation embeds structs.
    EmbedsReferences,
    /// The type is a single reference, and the storage is a list.
    NoList,
    /// The type holds references, and the storage is a single reference.
    List,
}

impl super::Field {
    /// Returns the conflict between the type and the relation of the field; `None` when the two agree.
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

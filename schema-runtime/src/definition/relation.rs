//! Relations between models, by cardinality and by storage.
//!
//! The rest of the crate asks the facts of a [`Cardinality`] and of a [`Storage`] and compares no values itself. Each
//! fact is one exhaustive `match`, so that a new kind does not compile until every fact has an answer.

use super::{
    Allow, DeleteRule, Direction, InverseDefinition, MirrorDefinition, ModelDefinition, RollupDefinition, each, str_eq,
};

/// A relation, declared on the field that stores it.
#[derive(Clone, Copy, Debug)]
pub struct RelationDefinition {
    /// The field, in Rust.
    pub field: &'static str,
    /// The field, as stored.
    pub name: &'static str,
    /// The field that refers, in Rust, inside of extended references (`by = id`).
    pub by: Option<&'static str>,
    /// The field that refers, in Rust, as the extended reference itself says; `None` for a bare reference.
    pub reference: Option<&'static str>,
    /// The number of documents that a relation may have on the far side.
    pub cardinality: Cardinality,
    /// The storage of the relation.
    pub storage: Storage,
    /// The model that the relation refers to; `None` for an embedded struct.
    pub target: Option<Target>,
    /// The order of the children of one parent; empty for the newest `_id` first.
    pub order: &'static [OrderKey],
    /// The accessor that the far side gives for the relation, if this side names the accessor.
    pub inverse: Option<&'static str>,
    /// The rules that the relation may break, with the reasons.
    pub allows: &'static [Allow],
    /// True when the referenced model keeps values of the referring documents.
    pub rolled_up: bool,
    /// True when the relation is the mirror of a `two_way`, which follows the relation of the far side.
    pub is_mirror: bool,
    /// The effect of a delete of a document on the documents that refer to the deleted document by this relation, as
    /// the far side says; `None` when the far side says nothing.
    pub on_delete: Option<DeleteRule>,
}

/// The number of documents that a relation may have on the far side, in William Zola's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// One.
    OneToOne,
    /// Up to a couple of hundred.
    OneToFew,
    /// Up to a few thousand.
    OneToMany,
    /// Without limit.
    OneToSquillions,
    /// Few or many on both sides.
    ManyToMany,
}

/// The stored form of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// The far side itself, inside this document.
    Embed,
    /// The `_id`s of the far side, in an array in this document.
    ChildRefs,
    /// The `_id` of the far side, in this document.
    ParentRef,
    /// The `_id`s of the far side, in an array in this document: a `many_to_many` in a single array that both sides
    /// read.
    OneWay,
    /// The `_id`s of the far side in this document, and the `_id` of this document in the documents of the far side.
    TwoWay,
}

/// The model that a relation refers to.
#[derive(Clone, Copy)]
pub struct Target {
    /// The [`ModelDefinition::name`] of the model.
    pub name: &'static str,
    /// The definition of the model.
    pub definition: fn() -> &'static ModelDefinition,
}

/// One key of an order.
#[derive(Clone, Copy, Debug)]
pub struct OrderKey {
    /// The field of this model, in Rust.
    pub field: &'static str,
    /// Ascending or descending.
    pub direction: Direction,
}

/// Returns the relation of the field of this Rust name.
pub(crate) const fn find_relation(
    relations: &'static [RelationDefinition],
    field: &str,
) -> Option<&'static RelationDefinition> {
    each!(for relation in relations {
        if str_eq(relation.field, field) {
            return Some(relation);
        }
    });
    None
}

impl RelationDefinition {
    /// Creates a relation without options.
    pub const fn new(
        field: &'static str,
        name: &'static str,
        cardinality: Cardinality,
        storage: Storage,
    ) -> RelationDefinition {
        RelationDefinition {
            field,
            name,
            by: None,
            reference: None,
            cardinality,
            storage,
            target: None,
            order: &[],
            inverse: None,
            allows: &[],
            rolled_up: false,
            is_mirror: false,
            on_delete: None,
        }
    }

    /// Makes the relation the mirror of a relation of the far side.
    pub const fn mirror(self) -> Self {
        RelationDefinition { is_mirror: true, ..self }
    }

    /// Takes over the delete rule of the far side, from an inverse of the relation or from the declaration beside its
    /// mirror.
    pub(crate) const fn deleted_by(
        self,
        inverses: &[InverseDefinition],
        mirrors: &[MirrorDefinition],
        child: &str,
    ) -> Self {
        let mut on_delete = None;
        each!(for inverse in inverses {
            if str_eq(inverse.child.name, child) && str_eq(inverse.field, self.field) {
                on_delete = inverse.on_delete;
            }
        });
        each!(for mirror in mirrors {
            if str_eq(mirror.child.name, child) && str_eq(mirror.child_field, self.field) {
                on_delete = mirror.on_delete;
            }
        });
        RelationDefinition { on_delete, ..self }
    }

    /// Declares that the elements are extended references, with the reference in this field.
    pub const fn by(self, by: &'static str) -> Self {
        RelationDefinition { by: Some(by), ..self }
    }

    /// Returns the stored path of the references in the documents of `model`, which stores the references.
    pub fn path(&self, model: &ModelDefinition) -> String {
        match self.by {
            Some(by) => model.stored_path(&[self.field, by]),
            None => self.name.to_owned(),
        }
    }

    /// Sets the model that the relation refers to.
    pub const fn to(self, target: Target) -> Self {
        RelationDefinition { target: Some(target), ..self }
    }

    /// Records whether the far side keeps values of the documents of the model `child` that refer by this relation.
    pub(crate) const fn rolled_up(self, rollups: &[RollupDefinition], child: &str) -> Self {
        let mut rolled_up = false;
        each!(for rollup in rollups {
            rolled_up = rolled_up || str_eq(rollup.child.name, child) && str_eq(rollup.reference, self.field);
        });
        RelationDefinition { rolled_up, ..self }
    }

    /// Sets the field of an extended reference that refers to the far side.
    pub const fn reference(self, reference: Option<&'static str>) -> Self {
        RelationDefinition { reference, ..self }
    }

    /// True when each of many children refers to its parent by this reference.
    pub const fn is_of_many_children(&self) -> bool {
        match self.storage {
            Storage::ParentRef => self.cardinality.is_many(),
            Storage::Embed | Storage::ChildRefs | Storage::OneWay | Storage::TwoWay => false,
        }
    }

    /// Sets the order of the children.
    pub const fn order(self, order: &'static [OrderKey]) -> Self {
        RelationDefinition { order, ..self }
    }

    /// Sets the accessor of the far side.
    pub const fn inverse(self, accessor: &'static str) -> Self {
        RelationDefinition { inverse: Some(accessor), ..self }
    }

    /// Sets the rules that the relation may break.
    pub const fn allows(self, allows: &'static [Allow]) -> Self {
        RelationDefinition { allows, ..self }
    }
}

impl OrderKey {
    /// Creates an ascending key.
    pub const fn asc(field: &'static str) -> Self {
        OrderKey { field, direction: Direction::Ascending }
    }

    /// Creates a descending key.
    pub const fn desc(field: &'static str) -> Self {
        OrderKey { field, direction: Direction::Descending }
    }
}

impl std::fmt::Debug for Target {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

impl RelationDefinition {
    /// Returns whether the field of the relation holds an array.
    pub(crate) const fn is_array(&self) -> bool {
        match self.storage {
            Storage::Embed => self.cardinality.is_many(),
            Storage::ChildRefs | Storage::OneWay => true,
            Storage::ParentRef => false,
            Storage::TwoWay => self.is_mirror || self.cardinality.is_many_to_many(),
        }
    }

    /// True when this model writes the relation and the far side mirrors the relation.
    pub(crate) const fn is_mirrored(&self) -> bool {
        self.storage.is_mirrored() && !self.is_mirror
    }

    /// True when the far side reads several children in the order of the relation, which the index of the relation
    /// gives. Otherwise a parent has one child, or all children would be sorted in the server's memory.
    pub(crate) const fn is_ordered(&self) -> bool {
        self.storage.may_order() && self.cardinality.is_many()
    }
}

impl Cardinality {
    /// True when there may be more than one document.
    pub(crate) const fn is_many(self) -> bool {
        match self {
            Cardinality::OneToOne => false,
            Cardinality::OneToFew | Cardinality::OneToMany | Cardinality::OneToSquillions | Cardinality::ManyToMany => {
                true
            }
        }
    }

    /// True when there may be any number of documents: a write of each document has no end in sight.
    pub(crate) const fn is_without_limit(self) -> bool {
        match self {
            Cardinality::OneToOne | Cardinality::OneToFew | Cardinality::OneToMany | Cardinality::ManyToMany => false,
            Cardinality::OneToSquillions => true,
        }
    }

    /// True when there may be more than one document on both sides.
    pub(crate) const fn is_many_to_many(self) -> bool {
        match self {
            Cardinality::OneToOne | Cardinality::OneToFew | Cardinality::OneToMany | Cardinality::OneToSquillions => {
                false
            }
            Cardinality::ManyToMany => true,
        }
    }

    /// Returns the word in the attribute.
    pub const fn word(self) -> &'static str {
        match self {
            Cardinality::OneToOne => "one_to_one",
            Cardinality::OneToFew => "one_to_few",
            Cardinality::OneToMany => "one_to_many",
            Cardinality::OneToSquillions => "one_to_squillions",
            Cardinality::ManyToMany => "many_to_many",
        }
    }
}

impl Storage {
    /// True when the stored form refers to documents of another collection.
    pub(crate) const fn refers(self) -> bool {
        match self {
            Storage::Embed => false,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => true,
        }
    }

    /// True when both sides store the relation: a write goes to one side, and the far side mirrors the write.
    pub(crate) const fn is_mirrored(self) -> bool {
        match self {
            Storage::Embed | Storage::ChildRefs | Storage::ParentRef | Storage::OneWay => false,
            Storage::TwoWay => true,
        }
    }

    /// Returns whether the far side reads its children in an order that the relation declares.
    pub(crate) const fn may_order(self) -> bool {
        match self {
            Storage::Embed => false,
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => true,
        }
    }

    /// True when the relation has an index for reads from the far side only if the relation names its inverse.
    pub(crate) const fn needs_inverse(self) -> bool {
        match self {
            Storage::Embed | Storage::ParentRef => false,
            Storage::ChildRefs | Storage::OneWay | Storage::TwoWay => true,
        }
    }

    /// True when the far side may keep a subset or a number of the referring documents, each with a single reference.
    pub(crate) const fn may_be_rolled_up(self) -> bool {
        match self {
            Storage::Embed | Storage::ChildRefs | Storage::OneWay | Storage::TwoWay => false,
            Storage::ParentRef => true,
        }
    }

    /// Returns a phrase that says how the field stores the relation.
    pub(crate) const fn what(self) -> &'static str {
        match self {
            Storage::Embed => "is embedded",
            Storage::ChildRefs => "holds an array of references",
            Storage::ParentRef => "holds one reference",
            Storage::OneWay => "holds an array of references",
            Storage::TwoWay => "is stored at both ends",
        }
    }

    /// Returns the word in the attribute.
    pub const fn word(self) -> &'static str {
        match self {
            Storage::Embed => "embed",
            Storage::ChildRefs => "child_refs",
            Storage::ParentRef => "parent_ref",
            Storage::OneWay => "one_way",
            Storage::TwoWay => "two_way",
        }
    }
}

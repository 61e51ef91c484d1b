//! The places of attributes, and the places that several attributes share.

/// The place of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A struct with `#[derive(Model)]`.
    Model,
    /// A field of a struct with `#[derive(Model)]`.
    ModelField,
    /// The field that is stored as `_id`.
    Id,
    /// A struct with `#[derive(Embed)]`.
    Embed,
    EmbedField,
    /// A tuple struct of a single value with `#[derive(Embed)]`.
    Newtype,
    /// The value of a newtype.
    NewtypeField,
    /// An enum with `#[derive(Embed)]`.
    Enum,
    Variant,
    /// A field of a variant of an enum with `#[derive(Embed)]`.
    VariantField,
    /// The struct that a variant of an enum with `#[derive(Embed)]` holds.
    VariantValue,
    /// A variant of an enum with `#[derive(Model)]`.
    ModelVariant,
    /// A field of a variant of an enum with `#[derive(Model)]`.
    ModelVariantField,
    /// A struct with `#[derive(Projection)]`.
    Projection,
    ProjectionField,
    /// A struct with `#[derive(Patch)]`.
    Patch,
    PatchField,
}

impl Place {
    /// Returns whether the place is a type that is stored inside of a model. Two attributes may stand above such a type
    /// that may not stand above the same field.
    pub(crate) fn is_embedded_item(self) -> bool {
        matches!(self, Place::Embed | Place::Newtype | Place::Enum)
    }

    /// Returns whether the place is a field of an embedded type, or of a variant of a model.
    pub(crate) fn is_inside(self) -> bool {
        matches!(self, Place::EmbedField | Place::VariantField | Place::ModelVariantField)
    }
}

pub(super) const OF_FIELDS: &[Place] =
    &[Place::ModelField, Place::Id, Place::EmbedField, Place::VariantField, Place::ModelVariantField];
pub(super) const OF_VALUES: &[Place] = &[
    Place::ModelField,
    Place::Id,
    Place::EmbedField,
    Place::VariantField,
    Place::ModelVariantField,
    Place::NewtypeField,
];
pub(super) const OF_OPAQUE_VALUES: &[Place] = &[
    Place::ModelField,
    Place::Id,
    Place::EmbedField,
    Place::VariantField,
    Place::ModelVariantField,
    Place::NewtypeField,
    Place::ProjectionField,
];
pub(super) const OF_STORED_TYPES: &[Place] = &[
    Place::ModelField,
    Place::EmbedField,
    Place::VariantField,
    Place::ModelVariantField,
    Place::ProjectionField,
    Place::Embed,
    Place::Newtype,
    Place::Enum,
];
pub(super) const OF_NAMED_VALUES: &[Place] = &[
    Place::ModelField,
    Place::Id,
    Place::EmbedField,
    Place::VariantField,
    Place::ModelVariantField,
    Place::ProjectionField,
];
/// The items that are stored inside a model, and the fields that may be flat.
pub(super) const OF_EMBEDDED: &[Place] =
    &[Place::Embed, Place::Newtype, Place::Enum, Place::ModelField, Place::EmbedField, Place::ProjectionField];
pub(super) const OF_MODELS: &[Place] = &[Place::ModelField];
/// The fields whose values a new document may bring by itself.
pub(super) const OF_DOCUMENTS: &[Place] = &[Place::ModelField, Place::Id];
/// The fields that reads of a model name.
pub(super) const OF_READS: &[Place] = &[Place::ModelField, Place::ProjectionField];

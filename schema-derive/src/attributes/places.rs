//! The places that several attributes share.

use super::Place;

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
pub(super) const OF_NAMED_VALUES: &[Place] = &[
    Place::ModelField,
    Place::Id,
    Place::EmbedField,
    Place::VariantField,
    Place::ModelVariantField,
    Place::ProjectionField,
];
pub(super) const OF_MODELS: &[Place] = &[Place::ModelField];

//! The fields that this crate sets by itself.

use super::{FieldDefinition, each};

/// The kind of value that this crate sets a field to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManagedAs {
    /// `#[version]`: the number of changes of the document.
    Version,
    /// `#[created_at]`: the time of the insert of the document.
    CreatedAt,
    /// `#[updated_at]`: the time of the last write of the document.
    UpdatedAt,
}

/// The fields of a model that this crate sets.
#[derive(Clone, Copy, Debug)]
pub struct ManagedFields {
    /// The field with `#[version]`.
    pub version: Option<&'static FieldDefinition>,
    /// The field with `#[created_at]`.
    pub created_at: Option<&'static FieldDefinition>,
    /// The field with `#[updated_at]`.
    pub updated_at: Option<&'static FieldDefinition>,
}

impl ManagedFields {
    /// Finds the managed fields among `fields`.
    pub(super) const fn among(fields: &'static [FieldDefinition]) -> Self {
        let mut managed = ManagedFields { version: None, created_at: None, updated_at: None };
        each!(for field in fields {
            match field.managed {
                Some(ManagedAs::Version) => managed.version = Some(field),
                Some(ManagedAs::CreatedAt) => managed.created_at = Some(field),
                Some(ManagedAs::UpdatedAt) => managed.updated_at = Some(field),
                None => {}
            }
        });
        managed
    }
}

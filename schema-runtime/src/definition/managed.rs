//! The fields that this crate sets by itself.

use super::FieldDefinition;

/// What this crate sets a field to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManagedAs {
    /// `#[version]`: how often the document was changed.
    Version,
    /// `#[created_at]`: when the document was inserted.
    CreatedAt,
    /// `#[updated_at]`: when the document was last written.
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
    /// Those among these fields.
    pub(super) const fn among(fields: &'static [FieldDefinition]) -> Self {
        let mut managed = ManagedFields { version: None, created_at: None, updated_at: None };
        let mut at = 0;
        while at < fields.len() {
            match fields[at].managed {
                Some(ManagedAs::Version) => managed.version = Some(&fields[at]),
                Some(ManagedAs::CreatedAt) => managed.created_at = Some(&fields[at]),
                Some(ManagedAs::UpdatedAt) => managed.updated_at = Some(&fields[at]),
                None => {}
            }
            at += 1;
        }
        managed
    }
}

//! Fields that the crate sets at every write: `#[version]`, `#[created_at]`, `#[updated_at]`.

use super::given::Given;
use crate::{
    attributes::Attribute,
    model::{Managed, ManagedField},
};

/// Reads the value that the crate sets this field to; `None` for a field that the crate does not set.
pub(super) fn lower_managed(given: &Given<'_>) -> Option<ManagedField> {
    Managed::ALL.iter().find_map(|managed| {
        let tokens = given.get(attribute(*managed))?;
        Some(ManagedField { managed: *managed, tokens: tokens.path().clone() })
    })
}

fn attribute(managed: Managed) -> Attribute {
    match managed {
        Managed::Version => Attribute::Version,
        Managed::CreatedAt => Attribute::CreatedAt,
        Managed::UpdatedAt => Attribute::UpdatedAt,
    }
}

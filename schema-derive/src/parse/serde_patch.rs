//! The attributes of serde on the fields of a patch, read by serde's own parser.

use serde_derive_internals::{ast, attr::Default};
use syn::DeriveInput;

use super::serde_names::container;

/// The attributes of serde on a field of a patch.
#[derive(Clone)]
pub(crate) struct SerdePatchField {
    /// The name that serde reads.
    pub(crate) name: String,
    /// True when the user's function reads the field.
    pub(crate) is_converted: bool,
    /// True when the user's function reads the field, and an absent field has a default.
    pub(crate) has_reader: bool,
    /// True when serde never reads the field.
    pub(crate) is_never_read: bool,
    /// True when serde leaves the field out, always or under a condition.
    pub(crate) is_left_out: bool,
}

/// Reads the fields in the order of the struct; no fields after a mistake that serde reports.
pub(crate) fn read_patch(input: &DeriveInput) -> Vec<SerdePatchField> {
    let read = |container: &ast::Container<'_>| {
        let by_struct = !matches!(container.attrs.default(), Default::None);
        let ast::Data::Struct(_, fields) = &container.data else { return Vec::new() };
        let read = |field: &ast::Field<'_>| SerdePatchField {
            name: field.attrs.name().deserialize_name().value.clone(),
            is_converted: field.attrs.deserialize_with().is_some(),
            has_reader: field.attrs.deserialize_with().is_some()
                && (by_struct || !matches!(field.attrs.default(), Default::None)),
            is_never_read: field.attrs.skip_deserializing(),
            is_left_out: field.attrs.skip_serializing() || field.attrs.skip_serializing_if().is_some(),
        };
        fields.iter().map(read).collect()
    };
    container(input, read).unwrap_or_default()
}

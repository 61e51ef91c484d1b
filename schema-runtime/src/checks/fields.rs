//! Rules of single fields.

pub(super) mod check_literal;
pub(super) mod check_type;
pub(super) mod field_type;
pub(super) mod flat_field;
pub(super) mod hidden_field;
pub(super) mod history_type;
pub(super) mod id_array;
pub(super) mod id_missing;
pub(super) mod immutable_field;
pub(super) mod patch_null;
pub(super) mod reserved_field;
pub(super) mod slug_source;
pub(super) mod stored_type;
pub(super) mod timestamp_type;
pub(super) mod unknown_field;
pub(super) mod variant_type;
pub(super) mod version_type;

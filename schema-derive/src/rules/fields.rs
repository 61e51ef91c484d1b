//! Rules of single fields.

pub(super) mod field_name;
pub(super) mod generic_model;
pub(super) mod hidden_field;
pub(super) mod history_keep;
pub(super) mod id_array;
pub(super) mod id_missing;
pub(super) mod immutable_field;
pub(super) mod json_name;
pub(super) mod managed_field;
pub(super) mod new_value;
pub(super) mod patch_field;
pub(super) mod reserved_field;
pub(super) mod slug_source;
pub(super) mod unknown_field;
pub(super) mod variant_name;

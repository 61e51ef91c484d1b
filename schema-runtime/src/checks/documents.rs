//! Rules of whole documents and of collections.

pub(super) mod collation_id;
pub(super) mod collection_kind;
pub(super) mod collection_name;
pub(super) mod collection_options;
pub(super) mod document_rule;
pub(super) mod document_too_deep;
pub(super) mod document_too_large;
pub(super) mod scalar_array_too_large;
pub(super) mod time_series_field;
pub(super) mod unbounded_embedded_array;
pub(super) mod view_pipeline;

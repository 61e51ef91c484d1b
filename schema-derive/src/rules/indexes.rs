//! Rules of indexes and of declared queries.

pub(super) mod hashed_index;
pub(super) mod hidden_index;
pub(super) mod index_collation;
pub(super) mod index_name;
pub(super) mod plane_index;
pub(super) mod query_hint;
pub(super) mod redundant_index;
pub(super) mod search_definition;
pub(super) mod text_index;
pub(super) mod too_many_indexes;
pub(super) mod ttl_field;
pub(super) mod unused_index;
pub(super) mod wildcard_index;

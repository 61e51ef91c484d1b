//! Rules of indexes and of declared queries.

pub(super) mod hashed_index;
pub(super) mod index_collation;
pub(super) mod keyset_order;
pub(super) mod parallel_arrays;
pub(super) mod plane_index;
pub(super) mod query_type;
pub(super) mod search_definition;
pub(super) mod text_index;
pub(super) mod ttl_field;
pub(super) mod unindexed_reference;
pub(super) mod unique_optional;
pub(super) mod wildcard_index;

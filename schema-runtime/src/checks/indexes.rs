//! Rules of indexes and of declared queries.

pub(super) mod hashed_index;
pub(super) mod keyset_order;
pub(super) mod parallel_arrays;
pub(super) mod query_type;
pub(super) mod ttl_field;
pub(super) mod unindexed_reference;
pub(super) mod unique_optional;

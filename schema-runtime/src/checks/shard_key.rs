//! Rules of shard keys.

pub(super) mod judge;
pub(super) mod shard_key_array;
pub(super) mod shard_key_copies;
pub(super) mod shard_key_hot_read;
pub(super) mod shard_key_locality;
pub(super) mod shard_key_low_cardinality;
pub(super) mod shard_key_monotonic;
pub(super) mod shard_key_optional;
pub(super) mod shard_key_scatter;
pub(super) mod shard_key_type;

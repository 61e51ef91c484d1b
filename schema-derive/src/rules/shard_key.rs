//! Rules of shard keys.

pub(super) mod shard_key_field;
pub(super) mod shard_key_type;
pub(super) mod shard_key_unique;

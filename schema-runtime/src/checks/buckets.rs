//! Rules of buckets.

pub(super) mod bucket_copy;
pub(super) mod bucket_operation;
pub(super) mod bucket_order;
pub(super) mod bucket_size;

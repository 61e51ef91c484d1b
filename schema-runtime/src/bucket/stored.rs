//! The data that a bucket keeps about its children: the count, the order, and the bounds of the ordering field. Writes
//! of this crate update the data in the command that changes the children. Only writes that bypass this crate make the
//! data wrong; this module finds and repairs wrong data.

mod broken_bucket;
mod repair;
mod wrong;

pub(crate) use broken_bucket::Buckets;

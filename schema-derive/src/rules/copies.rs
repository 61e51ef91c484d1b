//! Rules of copies.

pub(super) mod copy_of_copy;
pub(super) mod transaction_fan_out;

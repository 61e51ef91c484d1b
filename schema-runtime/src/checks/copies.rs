//! Rules of copies.

pub(super) mod copies_of_most;
pub(super) mod copy;
pub(super) mod copy_not_read;
pub(super) mod copy_of_copy;
pub(super) mod copy_of_volatile;
pub(super) mod copy_ratio;
pub(super) mod copy_to_squillions;
pub(super) mod copy_undeclared;
pub(super) mod fan_out_disagrees;
pub(super) mod nested_copy;
pub(super) mod subset_not_read;

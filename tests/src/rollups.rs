//! The shared parts of the proofs of rollups: models with parents that keep all kinds of values, and a check of the raw
//! documents. The check uses nothing of the crate.

mod balance;
mod check;
mod models;

pub use balance::{Balance, assert_balanced, balance};
pub use check::{all, assert_nothing_left, assert_right, leave_differences, left, wrong};
pub use models::{Counter, Host, IdOnly, LogLine, LogMsg, counter, host, message};

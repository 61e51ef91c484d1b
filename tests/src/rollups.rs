//! What the proofs of rollups share: models whose parents keep all kinds of things, and a check that asks the raw documents. The
//! check uses nothing of the crate.

mod check;
mod models;

pub use check::{all, assert_no_marks, assert_right, marked, wrong};
pub use models::{Counter, Host, IdOnly, LogLine, LogMsg, counter, host, message};

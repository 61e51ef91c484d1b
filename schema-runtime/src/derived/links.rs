//! `two_way` relations: the documents of the first side hold the truth, and the documents of the second side mirror the truth. Each write
//! of an end writes the opposite end in the same transaction, so a crash leaves nothing to recover. Two writes of the same link, or of the
//! same end of a link, never both commit.

mod change;
mod delete;
mod effect;
mod link;
mod mirror;
mod repair;
mod survey;
mod writing;

pub(crate) use effect::Links;
pub(crate) use link::{default_rule, links_from};
pub use repair::RepairedLinks;
pub(crate) use repair::{repair, repair_from_mirrors};
pub(crate) use survey::Survey;

//! `two_way` relations: the documents of one side hold the truth, those of the other a mirror of it. Each write of one end writes the other
//! in the same transaction, so that there is nothing to recover, and two writes of one link, or of one end of it, never both commit.

mod change;
mod delete;
mod effect;
mod link;
mod mirror;
mod repair;
mod survey;
mod writing;

pub(crate) use effect::EFFECT;
pub(crate) use link::{default_rule, links_from};
pub use repair::RepairedLinks;
pub(crate) use repair::{repair, repair_from_mirrors};
pub(crate) use survey::Survey;

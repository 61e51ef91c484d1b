//! `two_way` relations: the documents of the first side hold the truth, and the documents of the second side mirror the
//! truth. Each write of an end writes the opposite end in the same transaction, so a crash leaves nothing to recover.
//! Two writes of the same link, or of the same end of a link, never both commit.

mod change;
mod delete;
mod effect;
mod link;
mod maintenance;
mod mirror;
mod one_sided_link;
mod repair;
mod writing;

pub(crate) use effect::Links;
pub(crate) use link::default_rule;
pub(crate) use repair::repair_from_mirrors;

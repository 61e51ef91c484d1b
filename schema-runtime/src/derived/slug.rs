//! Slugs: an insert that leaves one empty gets one that no document has, made of another field; an update of that field gets a new one, where it
//! follows; the earlier ones of a document are kept with the current one.

mod effect;
mod field;
mod make;
mod moving;
mod repair;
mod writing;

pub(crate) use effect::EFFECT;
pub use repair::RepairedSlugs;
pub(crate) use repair::{repair, unkept};

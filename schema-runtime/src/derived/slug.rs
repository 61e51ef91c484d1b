//! Slugs: an insert that leaves one empty gets one that no document has, made of another field.

mod effect;
mod make;
mod writing;

pub(crate) use effect::EFFECT;

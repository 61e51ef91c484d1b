//! Slugs: an insert with an empty slug gets a new unique slug, made from a source field. An update of the source field
//! makes a new slug when the slug follows the field. A document keeps the earlier slugs with the current slug.

mod effect;
mod field;
mod make;
mod moving;
mod unkept_slug;
mod writing;

pub(crate) use effect::Slugs;

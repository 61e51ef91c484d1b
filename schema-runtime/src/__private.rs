//! The one door for derived code. Nothing in here is for people: it may change in any release.

pub use crate::{
    bounds::{Field, Reference, References},
    checks::*,
    definition::*,
    field::{FieldToken, Path, Projection, Root, Segment, Token},
    model::{Embed, Model, Record},
};

//! Rule: `plane_index`. The page is `guide/pages/rules/plane_index.md`.
//!
//! The half of the rule that knows the field's type: `geo_2d(..)` is for a pair of numbers. The server refuses a
//! GeoJSON value in the key (16804).

use crate::{
    checks::fields::field_type::kind,
    definition::{IndexKey, Kind, ResolvedPath, refuse},
};

/// Judges a key of places on a plane.
#[track_caller]
pub(in crate::checks) const fn enforce(key: &IndexKey, path: &ResolvedPath) {
    let is_pair = match path.shape.kind {
        Kind::Array { items, min: 2, max: Some(2) } => matches!(items.kind, Kind::Scalar(scalar) if scalar.is_float()),
        Kind::Opaque { raw, .. } => raw.is_none(),
        _ => false,
    };
    if !is_pair {
        refuse! {
            "a `geo_2d` index is over a pair of numbers, and `{}` is {}", key.path[key.path.len() - 1], kind(&path.shape);
            help: "store the coordinates as `[f64; 2]`; an index of a `Point` is `geo(..)`"
        }
    }
}

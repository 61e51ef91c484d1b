//! The GeoJSON types as fields.

use crate::{
    definition::{FieldDefinition, Kind, Scalar, Shape},
    field::{Field, NoFields, Path, class},
    geo::Point,
};

const FIELDS: &[FieldDefinition] = &[
    FieldDefinition::new("type", "type", Shape::new(Kind::Enum(&["Point"]))),
    FieldDefinition::new(
        "coordinates",
        "coordinates",
        Shape::new(Kind::Array { items: &Shape::scalar(Scalar::Double), min: 2, max: Some(2) }),
    ),
];

#[diagnostic::do_not_recommend]
impl Field for Point {
    const SHAPE: Shape = Shape::document("Point", FIELDS, true);
    type Class = class::Geometry;
    type Nested<M: 'static, P: Path, K: 'static> = NoFields;
}

//! A part of the earth, for conditions on places.

use mongodb::bson::{Bson, Document, doc};

use super::Point;

/// A part of the earth.
#[derive(Clone, Debug, PartialEq)]
pub struct Area(Document);

/// The earth's radius in metres by which the server turns metres into radians (its `kRadiusOfEarthInMeters`).
const EARTH_RADIUS: f64 = 6_378_100.0;

impl Area {
    /// What is at most `metres` from a place.
    pub fn circle(center: Point, metres: f64) -> Self {
        Area(doc! { "$centerSphere": [[center.longitude, center.latitude], metres / EARTH_RADIUS] })
    }

    /// What is inside a ring of places; the last is joined to the first. At least three, and no two sides may cross, or the
    /// server refuses it.
    pub fn polygon(ring: impl IntoIterator<Item = Point>) -> Self {
        let mut ring: Vec<Bson> = ring.into_iter().map(position).collect();
        if ring.first() != ring.last() {
            ring.extend(ring.first().cloned());
        }
        Area(doc! { "$geometry": { "type": "Polygon", "coordinates": [ring] } })
    }

    /// As the operand of `$geoWithin`.
    pub(crate) fn into_document(self) -> Document {
        self.0
    }
}

/// As GeoJSON has it: longitude first.
pub(crate) fn position(place: Point) -> Bson {
    Bson::Array(vec![place.longitude.into(), place.latitude.into()])
}

//! A part of the earth, for conditions on places.

use mongodb::bson::{Bson, Document, doc};

use super::Point;

/// A part of the earth.
#[derive(Clone, Debug, PartialEq)]
pub struct Area(Document);

/// The radius of the earth in metres by which the server turns metres into radians (`kRadiusOfEarthInMeters` of the
/// server).
const EARTH_RADIUS: f64 = 6_378_100.0;

impl Area {
    /// The circle of places that are at most `metres` from a place.
    pub fn circle(center: Point, metres: f64) -> Self {
        Area(doc! { "$centerSphere": [[center.longitude, center.latitude], metres / EARTH_RADIUS] })
    }

    /// The area inside a ring of places; the last place is joined to the first. The ring needs at least three places,
    /// and no two sides may cross, or the server refuses the area.
    pub fn polygon(ring: impl IntoIterator<Item = Point>) -> Self {
        let mut ring: Vec<Bson> = ring.into_iter().map(position).collect();
        if ring.first() != ring.last() {
            ring.extend(ring.first().cloned());
        }
        Area(doc! { "$geometry": { "type": "Polygon", "coordinates": [ring] } })
    }

    /// Returns the operand of `$geoWithin`.
    pub(crate) fn into_document(self) -> Document {
        self.0
    }

    /// Returns the operand of `$geoIntersects`; `None` for a circle.
    pub(crate) fn into_geometry(self) -> Option<Document> {
        self.0.contains_key("$geometry").then_some(self.0)
    }
}

/// Returns a place in the form of GeoJSON: longitude first.
pub(crate) fn position(place: Point) -> Bson {
    Bson::Array(vec![place.longitude.into(), place.latitude.into()])
}

//! A place on the earth, stored as a GeoJSON point.

use serde::{Deserialize, Serialize};

/// A place on the earth, stored as a GeoJSON `Point`. A `#[index(geo)]` on the field is a `2dsphere` index.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Point {
    /// Degrees east, -180 to 180.
    pub longitude: f64,
    /// Degrees north, -90 to 90.
    pub latitude: f64,
}

/// The form of GeoJSON (RFC 7946, 3.1.2): longitude first.
#[derive(Clone, Serialize, Deserialize)]
struct Stored {
    r#type: Type,
    coordinates: [f64; 2],
}

#[derive(Clone, Serialize, Deserialize)]
enum Type {
    Point,
}

impl Point {
    /// A place by its degrees east and north.
    pub const fn new(longitude: f64, latitude: f64) -> Self {
        Point { longitude, latitude }
    }
}

impl From<Stored> for Point {
    fn from(Stored { coordinates: [longitude, latitude], .. }: Stored) -> Self {
        Point { longitude, latitude }
    }
}

impl From<Point> for Stored {
    fn from(Point { longitude, latitude }: Point) -> Self {
        Stored { r#type: Type::Point, coordinates: [longitude, latitude] }
    }
}

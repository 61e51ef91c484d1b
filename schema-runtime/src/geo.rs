//! Places on the earth and parts of the earth, in the form of GeoJSON, and parts of a plane.

mod area;
mod plane;
mod point;

pub use area::Area;
pub(crate) use area::position;
pub use plane::PlaneArea;
pub use point::Point;

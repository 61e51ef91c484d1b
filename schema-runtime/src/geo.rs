//! Places on the earth and parts of the earth, in the form of GeoJSON.

mod area;
mod point;

pub use area::Area;
pub(crate) use area::position;
pub use point::Point;

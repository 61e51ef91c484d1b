//! Places on the earth and parts of it, as GeoJSON has them.

mod area;
mod point;

pub use area::Area;
pub(crate) use area::position;
pub use point::Point;

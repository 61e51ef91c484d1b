//! A part of a plane, for conditions on pairs of coordinates.

use mongodb::bson::{Bson, Document, doc};

/// A part of a plane, in the unit of the coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneArea(Document);

impl PlaneArea {
    /// The rectangle between two corners: the corner with the least coordinates, and the corner with the greatest.
    ///
    /// ```
    /// # use schema_runtime::PlaneArea;
    /// let shelf = PlaneArea::rectangle([0.0, 0.0], [5.0, 2.5]);
    /// # let _ = shelf;
    /// ```
    pub fn rectangle(least: [f64; 2], greatest: [f64; 2]) -> Self {
        PlaneArea(doc! { "$box": [pair(least), pair(greatest)] })
    }

    /// The circle of places that are at most `radius` from a place.
    ///
    /// ```
    /// # use schema_runtime::PlaneArea;
    /// let around = PlaneArea::circle([2.0, 3.0], 1.5);
    /// # let _ = around;
    /// ```
    pub fn circle(center: [f64; 2], radius: f64) -> Self {
        PlaneArea(doc! { "$center": [pair(center), Bson::from(radius)] })
    }

    /// The area inside a ring of places; the last place is joined to the first. The server refuses fewer than three
    /// places.
    ///
    /// ```
    /// # use schema_runtime::PlaneArea;
    /// let corner = PlaneArea::polygon([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]);
    /// # let _ = corner;
    /// ```
    pub fn polygon(ring: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let ring: Vec<Bson> = ring.into_iter().map(pair).collect();
        PlaneArea(doc! { "$polygon": ring })
    }

    /// Returns the operand of `$geoWithin`.
    pub(crate) fn into_document(self) -> Document {
        self.0
    }
}

fn pair(place: [f64; 2]) -> Bson {
    Bson::from(place.to_vec())
}

//! Types of other crates as fields: the stored form in each position, each operand, and the values that BSON cannot
//! hold. No field has a function of serde (`with`).

mod extremes;
mod kept;
mod managed;
mod positions;
mod related;
mod values;

use mongodb::bson::{Bson, DateTime as Date};

use crate::positions::raw;

/// Returns a date of this number of milliseconds.
fn date(milliseconds: i64) -> Bson {
    Bson::DateTime(Date::from_millis(milliseconds))
}

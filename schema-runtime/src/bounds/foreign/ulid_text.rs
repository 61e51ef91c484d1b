//! The type of `ulid`: the text of 26 characters, so that the order of the stored values is the order in time.

use ::ulid::Ulid;
use mongodb::bson::Bson;

use super::{ForeignValue, foreign};
use crate::definition::{Holds, Kind, Reason, Shape};

impl ForeignValue for Ulid {
    const NAME: &'static str = "ulid::Ulid";
    const HOLDS: Holds = Holds::Part;

    fn is_stored(value: &Bson) -> bool {
        matches!(value, Bson::String(_))
    }

    fn to_stored(&self) -> Result<Bson, Reason> {
        Ok(Bson::String(self.to_string()))
    }

    fn of_stored(value: &Bson) -> Result<Self, Reason> {
        let text = value.as_str().ok_or(Reason("the value is no string"))?;
        Ulid::from_string(text).map_err(|_| Reason("the string is no ULID"))
    }
}

foreign! {
    Ulid, Text: Shape::new(Kind::String { max_len: Some(26) });
}

//! The type of `url`.

use ::url::Url;
use mongodb::bson::Bson;

use super::{ForeignValue, foreign};
use crate::definition::{Holds, Kind, Reason, Shape};

impl ForeignValue for Url {
    const NAME: &'static str = "url::Url";
    const HOLDS: Holds = Holds::Part;

    fn is_stored(value: &Bson) -> bool {
        matches!(value, Bson::String(_))
    }

    fn to_stored(&self) -> Result<Bson, Reason> {
        Ok(Bson::String(self.as_str().to_owned()))
    }

    fn of_stored(value: &Bson) -> Result<Self, Reason> {
        let text = value.as_str().ok_or(Reason("the value is no string"))?;
        Url::parse(text).map_err(|_| Reason("the string is no URL"))
    }
}

foreign! {
    Url, Text: Shape::new(Kind::String { max_len: None });
}

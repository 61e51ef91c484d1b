//! The type of `uuid`.

use ::uuid::Uuid;
use mongodb::bson::{Binary, Bson, spec::BinarySubtype};

use super::{ForeignValue, foreign};
use crate::definition::{Reason, Scalar, Shape};

impl ForeignValue for Uuid {
    const NAME: &'static str = "uuid::Uuid";

    fn is_stored(value: &Bson) -> bool {
        matches!(value, Bson::Binary(Binary { subtype: BinarySubtype::Uuid, .. }))
    }

    fn to_stored(&self) -> Result<Bson, Reason> {
        Ok(Bson::Binary(Binary { subtype: BinarySubtype::Uuid, bytes: self.as_bytes().to_vec() }))
    }

    fn of_stored(value: &Bson) -> Result<Self, Reason> {
        match value {
            Bson::Binary(Binary { subtype: BinarySubtype::Uuid, bytes }) => {
                Uuid::from_slice(bytes).map_err(|_| Reason("the value has not the 16 bytes of a UUID"))
            }
            _ => Err(Reason("the value is no UUID")),
        }
    }
}

foreign! {
    Uuid, Identity: Shape::scalar(Scalar::Uuid);
}

//! Types that are stored as one BSON value.

use mongodb::bson::{Binary, Bson, DateTime, Decimal128, Timestamp, Uuid, oid::ObjectId};

use super::Field;
use crate::{
    definition::{Kind, Scalar, Shape},
    error::Result,
    field::{FieldToken, Path},
};

macro_rules! scalar {
    ($($scalar:ident: $($type:ty),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl Field for $type {
            const SHAPE: Shape = Shape::scalar(Scalar::$scalar);
            type Nested<M, P: Path> = FieldToken<M, Self, P>;
        }
    )*)*};
}

scalar! {
    DateTime: DateTime;
    Decimal128: Decimal128;
    Binary: Binary;
    Uuid: Uuid;
    Timestamp: Timestamp;
    Integer: i8, i16, i32, u8, u16, u32, u64, isize, usize;
    Double: f32, f64;
    Bool: bool;
}

macro_rules! scalar_with_value {
    ($($type:ty, $shape:expr, |$value:ident| $bson:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Field for $type {
            const SHAPE: Shape = $shape;
            type Nested<M, P: Path> = FieldToken<M, Self, P>;
            fn to_bson(&self) -> Result<Bson> {
                let $value = self;
                Ok($bson)
            }
        }
    )*};
}

// These are the usual `_id`s; joins turn thousands of them into BSON.
scalar_with_value! {
    ObjectId, Shape::scalar(Scalar::ObjectId), |value| Bson::ObjectId(*value);
    i64, Shape::scalar(Scalar::Integer), |value| Bson::Int64(*value);
    String, Shape::new(Kind::String { max_len: None }), |value| Bson::String(value.clone());
}

#[diagnostic::do_not_recommend]
impl Field for char {
    const SHAPE: Shape = Shape::new(Kind::String { max_len: Some(1) });
    type Nested<M, P: Path> = FieldToken<M, Self, P>;
}

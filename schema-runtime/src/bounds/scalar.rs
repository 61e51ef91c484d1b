//! Types that are stored as one BSON value.

use mongodb::bson::{Binary, Bson, DateTime, Decimal128, Timestamp, Uuid, oid::ObjectId};

use crate::{
    definition::{Integer, Kind, Scalar, Shape},
    error::Result,
    field::{Field, NoFields, Path, class},
};

macro_rules! scalar {
    ($($scalar:ident, $class:ident: $($type:ty),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl Field for $type {
            const SHAPE: Shape = Shape::scalar(Scalar::$scalar);
            type Class = class::$class;
            type Nested<M: 'static, P: Path, K: 'static> = NoFields;
        }
    )*)*};
}

scalar! {
    DateTime, Date: DateTime;
    Decimal128, Number: Decimal128;
    Binary, Bytes: Binary;
    Uuid, Identity: Uuid;
    Timestamp, InternalTimestamp: Timestamp;
    Double, Number: f64;
    Single, Number: f32;
    Bool, Boolean: bool;
}

/// The shape of an integer type; the greatest number of the type is stored as a `long` at most.
macro_rules! integer_shape {
    ($type:ty) => {
        Shape::integer(Integer {
            name: stringify!($type),
            least: <$type>::MIN as i64,
            greatest: if <$type>::MAX as u128 > i64::MAX as u128 { i64::MAX } else { <$type>::MAX as i64 },
        })
    };
}

macro_rules! integer {
    ($($type:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Field for $type {
            const SHAPE: Shape = integer_shape!($type);
            type Class = class::WholeNumber;
            type Nested<M: 'static, P: Path, K: 'static> = NoFields;
        }
    )*};
}

integer!(i8, i16, i32, u8, u16, u32, u64, isize, usize);

macro_rules! scalar_with_value {
    ($($type:ty, $class:ident, $shape:expr, |$value:ident| $bson:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Field for $type {
            const SHAPE: Shape = $shape;
            type Class = class::$class;
            type Nested<M: 'static, P: Path, K: 'static> = NoFields;
            fn to_bson(&self) -> Result<Bson> {
                let $value = self;
                Ok($bson)
            }
        }
    )*};
}

// The usual types of an `_id`: joins turn thousands of such values into BSON.
scalar_with_value! {
    ObjectId, Identity, Shape::scalar(Scalar::ObjectId), |value| Bson::ObjectId(*value);
    i64, WholeNumber, integer_shape!(i64), |value| Bson::Int64(*value);
    String, Text, Shape::new(Kind::String { max_len: None }), |value| Bson::String(value.clone());
}

#[diagnostic::do_not_recommend]
impl Field for char {
    const SHAPE: Shape = Shape::new(Kind::String { max_len: Some(1) });
    type Class = class::Text;
    type Nested<M: 'static, P: Path, K: 'static> = NoFields;
}

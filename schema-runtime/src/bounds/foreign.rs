//! Types of other crates and of the standard library that may be a field. serde writes a value in the form of the other
//! crate; the functions here convert between serde's form and the stored form.

#[cfg(feature = "chrono")]
mod chrono;
mod instant;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
mod standard;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "ulid")]
mod ulid_text;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;

use mongodb::bson::Bson;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    codec,
    definition::{Form, Holds, Reason},
};

/// A type of another crate with a stored form.
trait ForeignValue: Serialize + DeserializeOwned + 'static {
    /// The type in Rust, with the crate.
    const NAME: &'static str;
    /// The stored values that the type can hold.
    const HOLDS: Holds = Holds::Values;
    /// The conversions between serde's form and the stored form.
    const FORM: &'static Form = &Form {
        name: Self::NAME,
        holds: Self::HOLDS,
        store: store::<Self>,
        restore: |value| restore(value, codec::encode_value::<Self>),
        restore_buffered: |value| restore(value, codec::encode_for_people::<Self>),
    };

    /// Returns whether a value is of the BSON type of the stored form.
    fn is_stored(value: &Bson) -> bool;

    /// Refuses serde's form, where a feature of the other crate makes serde write less than the value.
    fn check_form(_: &Bson) -> Result<(), Reason> {
        Ok(())
    }

    /// Returns the stored form.
    fn to_stored(&self) -> Result<Bson, Reason>;

    /// Reads the stored form.
    fn of_stored(value: &Bson) -> Result<Self, Reason>;
}

/// Converts serde's form to the stored form. A value in the stored form stays unchanged.
fn store<T: ForeignValue>(value: Bson) -> Result<Bson, Reason> {
    if T::is_stored(&value) {
        return Ok(value);
    }
    T::check_form(&value)?;
    match codec::decode_value::<T>(&value) {
        Ok(value) => value.to_stored(),
        Err(_) => Err(Reason("the value is not of the type of the field")),
    }
}

/// Converts the stored form to serde's form.
fn restore<T: ForeignValue, E>(value: Bson, encode: fn(&T) -> Result<Bson, E>) -> Result<Bson, Reason> {
    let value = T::of_stored(&value)?;
    let readable = encode(&value).map_err(|_| Reason("serde cannot write the value, which is before 1970"))?;
    T::check_form(&readable)?;
    Ok(readable)
}

/// Implements `Field` for types with a stored form.
macro_rules! foreign {
    ($($type:ty, $class:ident: $shape:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl $crate::field::Field for $type {
            const SHAPE: $crate::definition::Shape =
                $shape.form(<$type as $crate::bounds::foreign::ForeignValue>::FORM);
            type Class = $crate::field::class::$class;
            type Nested<M: 'static, P: $crate::field::Path, K: 'static> = $crate::field::NoFields;
        }
    )*};
}
use foreign;

/// Implements `Field` for types that lose a part of each value when the value is stored. A field of such a type does
/// not compile, with the reason.
#[cfg(any(feature = "chrono", feature = "jiff"))]
macro_rules! refused {
    ($($type:ty, $name:literal, $reason:literal, $help:literal;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl $crate::field::Field for $type {
            const SHAPE: $crate::definition::Shape = $crate::definition::Shape::opaque(0)
                .form(&$crate::definition::Form::refused($name, $reason, $help));
            type Class = $crate::field::class::Opaque;
            type Nested<M: 'static, P: $crate::field::Path, K: 'static> = $crate::field::NoFields;
        }
    )*};
}
#[cfg(any(feature = "chrono", feature = "jiff"))]
use refused;

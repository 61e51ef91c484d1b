//! The type of `rust_decimal`.

use ::rust_decimal::Decimal;
use mongodb::bson::{Bson, Decimal128};

use super::{ForeignValue, foreign};
use crate::definition::{Holds, Reason, Scalar, Shape};

/// The reason against a number that the type cannot hold exactly.
const TOO_MANY_DIGITS: Reason =
    Reason("the number is not exact in a `Decimal`, which has 96 bits and 28 decimal places");

impl ForeignValue for Decimal {
    const NAME: &'static str = "rust_decimal::Decimal";
    const HOLDS: Holds = Holds::Part;

    fn is_stored(value: &Bson) -> bool {
        matches!(value, Bson::Decimal128(_))
    }

    fn check_form(value: &Bson) -> Result<(), Reason> {
        match value {
            Bson::String(_) => Ok(()),
            _ => Err(Reason("the feature `serde-float` of `rust_decimal` is on, and serde loses digits of the number")),
        }
    }

    fn to_stored(&self) -> Result<Bson, Reason> {
        // A `Decimal` has 29 digits at most, and the exponent of the last digit is from -28 to 0.
        let number = self.to_string().parse::<Decimal128>();
        number.map(Bson::Decimal128).map_err(|_| Reason("the number is out of the range of a BSON decimal"))
    }

    fn of_stored(value: &Bson) -> Result<Self, Reason> {
        let Bson::Decimal128(number) = value else { return Err(Reason("the value is no decimal")) };
        exact(&number.to_string()).ok_or(TOO_MANY_DIGITS)
    }
}

/// Reads the text of a BSON decimal, as `-12.50` or `1E+3`, without rounding.
fn exact(text: &str) -> Option<Decimal> {
    let (number, exponent) = text.split_once(['E', 'e']).unwrap_or((text, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mut digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    let mut scale = i64::try_from(fraction.len()).ok()?.checked_sub(exponent.parse().ok()?)?;
    while scale > i64::from(Decimal::MAX_SCALE) {
        if digits % 10 != 0 {
            return None;
        }
        if digits == 0 {
            scale = i64::from(Decimal::MAX_SCALE);
            break;
        }
        (digits, scale) = (digits / 10, scale - 1);
    }
    if digits == 0 && scale < 0 {
        scale = 0;
    }
    while scale < 0 {
        (digits, scale) = (digits.checked_mul(10)?, scale + 1);
    }
    Decimal::try_from_i128_with_scale(digits, u32::try_from(scale).ok()?).ok()
}

foreign! {
    Decimal, Number: Shape::scalar(Scalar::Decimal128);
}

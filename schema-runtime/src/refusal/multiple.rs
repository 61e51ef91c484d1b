//! Whether a number is a multiple of another number, as the server computes: in decimals, of a double the first 15
//! digits.
//!
//! Source: `InternalSchemaFmodMatchExpression` and `Decimal128(double)` of MongoDB.

use crate::definition::Literal;

/// The digits of a double that the server takes.
const DIGITS: usize = 15;

/// A number without a sign: the digits as a whole number, and the power of ten of the last digit.
#[derive(Clone, Copy)]
struct Decimal {
    digits: u128,
    exponent: i32,
}

/// Returns whether a number is a multiple of a limit above zero. NaN and an infinite number are no multiples.
pub(super) fn is_multiple(number: Literal, of: Literal) -> bool {
    let (Some(number), Some(of)) = (decimal(number), decimal(of)) else { return false };
    if number.digits == 0 {
        return true;
    }
    match u32::try_from(number.exponent - of.exponent) {
        // The number is scaled up, modulo the limit.
        Ok(zeros) => (0..zeros).fold(number.digits % of.digits, |rest, _| rest * 10 % of.digits) == 0,
        // The limit is scaled up. A limit of more digits than the number is greater than the number.
        Err(_) => {
            let zeros = of.exponent.abs_diff(number.exponent);
            let scaled = 10u128.checked_pow(zeros).and_then(|scale| of.digits.checked_mul(scale));
            scaled.is_some_and(|scaled| number.digits % scaled == 0)
        }
    }
}

fn decimal(number: Literal) -> Option<Decimal> {
    match number {
        Literal::Integer(number) => Some(Decimal { digits: number.unsigned_abs().into(), exponent: 0 }),
        Literal::Double(number) if number.is_finite() => {
            // One digit, a point, the rest of the digits, and the exponent.
            let text = format!("{:.*e}", DIGITS - 1, number.abs());
            let (digits, exponent) = text.split_once('e')?;
            let digits = digits.replace('.', "").parse().ok()?;
            Some(Decimal { digits, exponent: exponent.parse::<i32>().ok()? - (DIGITS as i32 - 1) })
        }
        Literal::Double(_) | Literal::Bool(_) | Literal::String(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_multiple;
    use crate::definition::Literal::{Double, Integer};

    #[test]
    fn multiples_are_computed_in_decimals() {
        for (number, of, expected) in [
            (Double(0.3), Double(0.1), true),
            (Double(0.1 + 0.2), Double(0.1), true),
            (Double(0.35), Double(0.1), false),
            (Double(1e300), Double(0.1), true),
            (Double(5e-324), Double(0.1), false),
            (Double(-0.3), Double(0.1), true),
            (Double(0.0), Integer(7), true),
            (Double(f64::NAN), Integer(1), false),
            (Double(f64::INFINITY), Integer(1), false),
            (Integer(i64::MIN), Integer(2), true),
            (Integer(i64::MAX), Double(0.1), true),
            (Integer(6), Integer(4), false),
            (Double(1e16), Integer(3), false),
            (Double(3e22), Integer(3), true),
            (Double(1.5), Integer(3), false),
        ] {
            assert_eq!(is_multiple(number, of), expected, "{number:?} {of:?}");
        }
    }
}

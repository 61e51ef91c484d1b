//! Numbers of any type as digits and an exponent, to repeat the server's comparison across types.

use mongodb::bson::Decimal128;

/// A finite number: the digits without zeros around the digits, and the power of ten of the last digit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) is_negative: bool,
    pub(super) digits: String,
    pub(super) exponent: i32,
}

impl Number {
    /// Returns the number as a whole number of 64 bits; `None` for any other number.
    pub(super) fn whole(&self) -> Option<i64> {
        // No number of 64 bits has 20 digits.
        let zeros = usize::try_from(self.exponent).ok().filter(|zeros| zeros + self.digits.len() < 20)?;
        let sign = if self.is_negative { "-" } else { "" };
        format!("{sign}{}{:0<zeros$}", self.digits, "").parse().ok()
    }

    /// Parses a text of digits, a point and an exponent; `None` for another text, as `NaN`.
    fn parse(text: &str) -> Option<Number> {
        let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['E', 'e']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let significant = digits.trim_end_matches('0');
        let exponent =
            exponent.parse::<i32>().ok()? - fraction.len() as i32 + (digits.len() - significant.len()) as i32;
        Some(match significant.trim_start_matches('0') {
            "" => Number { is_negative: false, digits: "0".to_owned(), exponent: 0 },
            digits => Number { is_negative, digits: digits.to_owned(), exponent },
        })
    }
}

/// Converts a decimal; `None` where the decimal is infinite or no number.
pub(super) fn of_decimal(number: &Decimal128) -> Option<Number> {
    Number::parse(&number.to_string())
}

/// Converts a double that may equal a decimal; `None` where the double has more digits than the 34 of a decimal, is
/// infinite or no number.
pub(super) fn of_double(number: f64) -> Option<Number> {
    // All digits of a double: at most 767. Source: the IEEE 754 format of 64 bits.
    Number::parse(&format!("{number:.766e}")).filter(|number| number.digits.len() <= 34)
}

/// Returns the whole number that equals a double in the server's comparison; `None` for any other double.
pub(super) fn integer(number: f64) -> Option<i64> {
    // -2^63 is a whole number of 64 bits, 2^63 is not.
    let whole = number as i64;
    (whole as f64 == number && number < 9_223_372_036_854_775_808.0).then_some(whole)
}

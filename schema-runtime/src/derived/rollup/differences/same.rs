//! Compares a value of a parent with the value of the children, for all numeric types and for any order of adding
//! fractions. Pure.

use mongodb::bson::{Bson, Decimal128};

use super::tally::integer;

/// Returns whether an average differs from the quotient of the parts.
pub(in crate::derived::rollup) fn is_other_average(stored: &Bson, total: &Bson, count: i64) -> bool {
    match (stored, total) {
        (stored, _) if count == 0 => *stored != Bson::Null,
        (Bson::Double(stored), Bson::Int64(total)) => !near(*stored, *total as f64 / count as f64, 0.0),
        (Bson::Double(stored), Bson::Double(total)) => !near(*stored, total / count as f64, 0.0),
        (stored, _) => *stored == Bson::Null,
    }
}

/// Returns whether a value is neither infinite nor NaN.
pub(in crate::derived::rollup) fn is_finite(value: &Bson) -> bool {
    match value {
        Bson::Double(value) => value.is_finite(),
        Bson::Decimal128(value) => decimal(value).is_some(),
        _ => true,
    }
}

/// Returns the sign, the digits without surrounding zeros, and the exponent of a decimal; `None` for NaN or infinity.
fn decimal(value: &Decimal128) -> Option<(bool, String, i32)> {
    let text = value.to_string();
    let (is_negative, text) = text.strip_prefix('-').map_or((false, &*text), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once('E').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let significant = digits.trim_end_matches('0');
    let zeros = (digits.len() - significant.len()) as i32;
    let exponent = exponent.parse::<i32>().ok()? - fraction.len() as i32 + zeros;
    match significant.trim_start_matches('0') {
        "" => Some((false, String::new(), 0)),
        significant => Some((is_negative, significant.to_owned(), exponent)),
    }
}

/// Returns a sum in the type of the parent's field.
pub(in crate::derived::rollup) fn like(zero: &Bson, sum: &Bson) -> Bson {
    match (zero, sum) {
        (Bson::Int64(_), Bson::Int32(sum)) => Bson::Int64(i64::from(*sum)),
        (Bson::Double(_), Bson::Int32(sum)) => Bson::Double(f64::from(*sum)),
        (Bson::Double(_), Bson::Int64(sum)) => Bson::Double(*sum as f64),
        (_, sum) => sum.clone(),
    }
}

/// Subtracts the left differences from a sum; `None` without a sum, and for decimals: only the server subtracts
/// decimals.
pub(in crate::derived::rollup) fn less(sum: Option<&Bson>, plus: &[Bson], minus: &[Bson]) -> Option<Bson> {
    if plus.is_empty() && minus.is_empty() {
        return sum.cloned();
    }
    let zero = Bson::Int64(0);
    let all: Vec<(&Bson, bool)> =
        plus.iter().map(|value| (value, true)).chain(minus.iter().map(|value| (value, false))).collect();
    let sum = sum.unwrap_or(&zero);
    let whole = |value: &Bson| integer(value).map(i128::from);
    let left: Option<i128> =
        all.iter().map(|(value, is_plus)| Some(if *is_plus { whole(value)? } else { -whole(value)? })).sum();
    if let (Some(sum), Some(left)) = (whole(sum), left) {
        return i64::try_from(sum - left).ok().map(Bson::Int64);
    }
    let number = |value: &Bson| value.as_f64().or_else(|| integer(value).map(|value| value as f64));
    let left: Option<f64> =
        all.iter().map(|(value, is_plus)| Some(if *is_plus { number(value)? } else { -number(value)? })).sum();
    Some(Bson::Double(number(sum)? - left?))
}

/// Returns whether two values are equal, for any integer type and for any order of adding fractions.
pub(in crate::derived::rollup) fn same(stored: &Bson, computed: &Bson, tolerance: f64) -> bool {
    match (stored, computed) {
        (Bson::Int32(one), Bson::Int64(other)) | (Bson::Int64(other), Bson::Int32(one)) => i64::from(*one) == *other,
        (Bson::Double(one), Bson::Double(other)) => near(*one, *other, tolerance),
        (Bson::Double(one), Bson::Int32(other)) => near(*one, f64::from(*other), tolerance),
        (Bson::Decimal128(one), Bson::Decimal128(other)) => decimal(one) == decimal(other),
        (Bson::Array(one), Bson::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other, tolerance))
        }
        (one, other) => one == other,
    }
}

fn near(one: f64, other: f64, tolerance: f64) -> bool {
    let tolerance = tolerance.max(1e-9 * one.abs().max(other.abs()));
    one == other || one.is_nan() && other.is_nan() || (one - other).abs() <= tolerance
}

#[cfg(test)]
mod tests {
    use mongodb::bson::Bson;

    use super::is_finite;
    use super::same;

    fn decimal(text: &str) -> Bson {
        Bson::Decimal128(text.parse().unwrap())
    }

    #[test]
    fn decimals_are_the_same_whatever_their_exponent() {
        for (one, other) in [("4", "4.00"), ("0.25", "2.5E-1"), ("-0.50", "-0.5"), ("0", "-0.00"), ("1E+3", "1000")] {
            assert!(same(&decimal(one), &decimal(other), 0.0), "{one} {other}");
        }
        for (one, other) in [("4", "40"), ("0.5", "-0.5"), ("1.01", "1.1"), ("NaN", "0")] {
            assert!(!same(&decimal(one), &decimal(other), 0.0), "{one} {other}");
        }
        assert!(!is_finite(&decimal("NaN")) && !is_finite(&decimal("-Infinity")) && is_finite(&decimal("-1E+10")));
    }

    #[test]
    fn fractions_are_compared_to_what_they_are_sums_of() {
        assert!(same(&Bson::Double(1e-7), &Bson::Double(0.0), 1e-9 * 1e6));
        assert!(!same(&Bson::Double(1e-7), &Bson::Double(0.0), 0.0));
        assert!(same(&Bson::Double(f64::NAN), &Bson::Double(f64::NAN), 0.0));
        assert!(same(&Bson::Int32(3), &Bson::Int64(3), 0.0));
    }
}

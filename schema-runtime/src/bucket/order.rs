//! Compares the values of an order field as the server compares the values. Pure.

use std::cmp::Ordering;

use mongodb::bson::Bson;

/// Returns the order of two values of the types that a bucket may be sorted by; `None` for values of other types.
pub(crate) fn compare(one: &Bson, other: &Bson) -> Option<Ordering> {
    Some(match (one, other) {
        (Bson::DateTime(one), Bson::DateTime(other)) => one.cmp(other),
        (Bson::String(one), Bson::String(other)) => one.as_bytes().cmp(other.as_bytes()),
        (Bson::ObjectId(one), Bson::ObjectId(other)) => one.cmp(other),
        (Bson::Timestamp(one), Bson::Timestamp(other)) => (one.time, one.increment).cmp(&(other.time, other.increment)),
        (Bson::Boolean(one), Bson::Boolean(other)) => one.cmp(other),
        (Bson::Double(one), Bson::Double(other)) => double(*one, *other),
        (Bson::Double(one), other) => integer_and_double(integer(other)?, *one).reverse(),
        (one, Bson::Double(other)) => integer_and_double(integer(one)?, *other),
        _ => integer(one)?.cmp(&integer(other)?),
    })
}

/// Returns whether the value is NaN; no filter finds NaN less or greater than another number.
pub(super) fn is_nan(value: &Bson) -> bool {
    matches!(value, Bson::Double(value) if value.is_nan())
}

/// Compares an integer with a double exactly, also when no double equals the integer.
fn integer_and_double(one: i64, other: f64) -> Ordering {
    // 2 to the 63rd: the first double that is greater than every integer.
    const END: f64 = 9_223_372_036_854_775_808.0;
    match other {
        _ if other.is_nan() => Ordering::Greater,
        _ if other >= END => Ordering::Less,
        _ if other < -END => Ordering::Greater,
        // The integer part of the double fits in 64 bits.
        _ => one.cmp(&(other.trunc() as i64)).then(0.0.partial_cmp(&other.fract()).unwrap_or(Ordering::Equal)),
    }
}

/// Compares two doubles; NaN is the least value.
fn double(one: f64, other: f64) -> Ordering {
    one.partial_cmp(&other).unwrap_or_else(|| other.is_nan().cmp(&one.is_nan()))
}

fn integer(value: &Bson) -> Option<i64> {
    match value {
        Bson::Int32(number) => Some((*number).into()),
        Bson::Int64(number) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{DateTime, Timestamp};

    use super::*;

    #[test]
    fn as_the_server_compares() {
        let less = [
            (Bson::Int32(1), Bson::Int64(2)),
            (Bson::Int32(2), Bson::Double(2.5)),
            (Bson::Double(-2.5), Bson::Int32(-2)),
            (Bson::Double(f64::NAN), Bson::Int64(i64::MIN)),
            (Bson::Int64(i64::MAX), Bson::Double(9_223_372_036_854_775_808.0)),
            (Bson::Double(9_007_199_254_740_992.0), Bson::Int64(9_007_199_254_740_993)),
            (Bson::Double(f64::NEG_INFINITY), Bson::Int64(i64::MIN)),
            (Bson::Int64(i64::MIN), Bson::Int32(0)),
            (Bson::Double(f64::NAN), Bson::Double(f64::NEG_INFINITY)),
            (Bson::Double(-1.5), Bson::Double(0.0)),
            (Bson::from("Z"), Bson::from("a")),
            (Bson::from("z"), Bson::from("é")),
            (DateTime::from_millis(-1).into(), DateTime::from_millis(0).into()),
            (Timestamp { time: 1, increment: 9 }.into(), Timestamp { time: 2, increment: 0 }.into()),
            (Bson::Boolean(false), Bson::Boolean(true)),
        ];
        for (one, other) in less {
            assert_eq!(compare(&one, &other), Some(Ordering::Less), "{one} {other}");
            assert_eq!(compare(&other, &one), Some(Ordering::Greater));
            assert_eq!(compare(&one, &one), Some(Ordering::Equal));
        }
        assert_eq!(compare(&Bson::Int32(2), &Bson::Double(2.0)), Some(Ordering::Equal));
        assert_eq!(compare(&Bson::Null, &Bson::Int32(1)), None);
    }
}

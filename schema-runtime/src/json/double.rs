//! The texts of the doubles that are no JSON numbers.

const NAN: &str = "NaN";
const INFINITY: &str = "Infinity";
const MINUS_INFINITY: &str = "-Infinity";

/// Returns the text of a double that is no JSON number; `None` for a JSON number.
pub(super) fn text_of(number: f64) -> Option<&'static str> {
    match number {
        number if number.is_nan() => Some(NAN),
        f64::INFINITY => Some(INFINITY),
        f64::NEG_INFINITY => Some(MINUS_INFINITY),
        _ => None,
    }
}

/// Reads the text of a double that is no JSON number.
pub(super) fn parse(text: &str) -> Option<f64> {
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].into_iter().find(|number| text_of(*number) == Some(text))
}

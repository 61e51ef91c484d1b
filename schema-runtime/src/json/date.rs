//! Dates as RFC 3339 with milliseconds, in UTC.

use mongodb::bson::DateTime;

/// The form of the text of a date.
pub(super) const FORM: &str = "a date of RFC 3339, as 2024-02-29T12:30:00.000Z";

/// The first and the last millisecond of the years 0 to 9999, which RFC 3339 can write.
const FIRST: i64 = -62_167_219_200_000;
const LAST: i64 = 253_402_300_799_999;

/// The position of the seconds in a text.
const SECONDS: std::ops::Range<usize> = 17..19;

/// The number of digits of a second that a date holds.
const MILLISECONDS: usize = 3;

/// Returns the text of a date; `None` for a date outside of the years 0 to 9999.
pub(super) fn text_of(date: DateTime) -> Option<String> {
    let is_in_range = (FIRST..=LAST).contains(&date.timestamp_millis());
    let text = is_in_range.then(|| date.try_to_rfc3339_string().ok()).flatten()?;
    let seconds = text.trim_end_matches('Z');
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
    Some(format!("{seconds}.{fraction:0<3}Z"))
}

/// Reads a date, and cuts a part of a millisecond. `None` for another form, and for a leap second, which BSON does not
/// have.
pub(super) fn parse(text: &str) -> Option<DateTime> {
    if text.get(SECONDS) == Some("60") {
        return None;
    }
    let (seconds, rest) = text.split_once('.').unwrap_or((text, ""));
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits <= MILLISECONDS {
        return DateTime::parse_rfc3339_str(text).ok();
    }
    DateTime::parse_rfc3339_str(format!("{seconds}.{}{}", &rest[..MILLISECONDS], &rest[digits..])).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_has_three_digits_of_a_second() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_709_209_800_120, "2024-02-29T12:30:00.120Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (FIRST, "0000-01-01T00:00:00.000Z"),
            (LAST, "9999-12-31T23:59:59.999Z"),
        ] {
            let date = DateTime::from_millis(millis);
            assert_eq!(text_of(date).as_deref(), Some(text));
            assert_eq!(parse(text), Some(date), "{text}");
        }
        for millis in [FIRST - 1, LAST + 1, i64::MIN, i64::MAX] {
            assert_eq!(text_of(DateTime::from_millis(millis)), None, "{millis}");
        }
    }

    #[test]
    fn other_zones_are_read() {
        for text in ["2024-02-29T12:30:00Z", "2024-02-29T14:30:00+02:00", "2024-02-29T07:00:00.000000-05:30"] {
            assert_eq!(parse(text), Some(DateTime::from_millis(1_709_209_800_000)), "{text}");
        }
    }

    #[test]
    fn a_part_of_a_millisecond_is_cut() {
        for (text, millis) in [
            ("1970-01-01T00:00:00.001999Z", 1),
            ("1969-12-31T23:59:59.999999999Z", -1),
            ("2024-02-29T14:30:00.123456+02:00", 1_709_209_800_123),
        ] {
            assert_eq!(parse(text), Some(DateTime::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for text in [
            "",
            "2024-02-29",
            "2024-02-29T12:30:00",
            "2024-02-30T12:30:00Z",
            "2024-02-29T25:30:00Z",
            "2024-02-29T23:59:60Z",
            "29.02.2024",
            "1709209800",
            "Thu, 29 Feb 2024 12:30:00 GMT",
            "10000-01-01T00:00:00Z",
            "é024-02-29T12:30:00Zé",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

//! Lengths of time in arguments: `50ms`, `2s`, `5m`, `1h`. Pure.

use std::time::Duration;

/// The units, in milliseconds. `ms` comes before `s` and `m`: the longest end of a text wins.
const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

/// Parses a whole number with a unit.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    let read = UNITS.iter().find_map(|(unit, milliseconds)| {
        let number = text.strip_suffix(unit)?;
        if number.is_empty() || !number.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        number.parse::<u64>().ok()?.checked_mul(*milliseconds)
    });
    let read = read.filter(|milliseconds| *milliseconds <= LONGEST);
    read.map(Duration::from_millis).ok_or_else(|| "a time is a whole number with a unit: 50ms, 2s, 5m, 1h".to_owned())
}

/// The longest time, a year, in milliseconds: a sum of times stays in range.
const LONGEST: u64 = 365 * 24 * 3_600_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit() {
        let milliseconds = |text| parse(text).map(|time| time.as_millis());
        assert_eq!(milliseconds("50ms"), Ok(50));
        assert_eq!(milliseconds("2s"), Ok(2_000));
        assert_eq!(milliseconds("5m"), Ok(300_000));
        assert_eq!(milliseconds("1h"), Ok(3_600_000));
        assert_eq!(milliseconds("0s"), Ok(0));
        for wrong in ["", "5", "s", "-1s", "+1s", "1.5s", "1 s", "1d", "9000h", "99999999999999999999s", "ms"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

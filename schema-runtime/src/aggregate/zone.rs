//! The time zone of a call: `month(placed, tz = zone)`.

use crate::{
    definition::{Groups, KeyForm},
    error::{Error, Result},
};

/// Refuses a text that has not the form of a time zone.
pub(super) fn checked(zone: String) -> Result<String> {
    let is_offset = |digits: &str| {
        digits.len() >= 2 && digits.chars().all(|letter| letter.is_ascii_digit() || letter == ':') && digits.len() <= 5
    };
    let is_name = |name: &str| {
        name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && name.len() <= 64
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "/_+-".contains(letter))
    };
    if zone.strip_prefix(['+', '-']).map_or_else(|| is_name(&zone), is_offset) {
        return Ok(zone);
    }
    let message =
        "the time zone is no name of the Olson database, as `Europe/Oslo`, and no offset from UTC, as `+02:00`";
    Err(Error::Query { message })
}

/// Refuses an aggregation that needs a time zone and has none, and a time zone that no key has.
pub(super) fn require(groups: &Groups, zone: Option<&str>) -> Result<()> {
    let message = match (has_zone(groups), zone) {
        (true, None) => "a key of the aggregation is in the time zone of the call: call `zone(..)`",
        (false, Some(_)) => "no key of the aggregation is in the time zone of the call: write `tz = zone` in the key",
        _ => return Ok(()),
    };
    Err(Error::Query { message })
}

fn has_zone(groups: &Groups) -> bool {
    let is_of_call = |form: &KeyForm| matches!(form, KeyForm::Period { zone: None, .. });
    groups.definition.keys.iter().any(|key| is_of_call(&key.form)) || groups.of.is_some_and(has_zone)
}

//! The texts of errors. Error texts go to logs, so the texts hold names and numbers and never a document's values.

use std::fmt::Display;

use mongodb::{
    bson::Bson,
    error::{Error as DriverError, ErrorKind, WriteFailure},
};

use super::code;

pub(super) fn stopped(collection: &str, inserted: usize, index: Option<usize>) -> String {
    match index {
        Some(index) => format!("document {index} was refused, after {inserted} were inserted in `{collection}`"),
        None => format!("the insert stopped after at least {inserted} documents were inserted in `{collection}`"),
    }
}

pub(super) fn bulk(collection: &str, index: Option<usize>, counts: [usize; 4]) -> String {
    let [done, failed, not_tried, unknown] = counts;
    let mut text = format!("of the writes to `{collection}` {done} are done");
    for (count, what) in [(failed, "failed"), (not_tried, "were not tried"), (unknown, "may be done or not")] {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    match index {
        Some(index) => text + &format!("; write {index}"),
        None => text,
    }
}

/// Describes a document by the `_id`, if the `_id` is an ObjectId, which holds no personal data.
pub(crate) fn document(id: &Bson) -> String {
    match id {
        Bson::ObjectId(id) => format!("the document {id}"),
        _ => "a document".to_owned(),
    }
}

/// Returns ` of `, followed by the document with this `_id`; empty for an `_id` that is no ObjectId.
pub(super) fn of(id: &Bson) -> String {
    match id {
        Bson::ObjectId(_) => format!(" of {}", document(id)),
        _ => String::new(),
    }
}

/// Returns the document with this `_id`, followed by the relative pronoun of the next clause.
pub(super) fn which(id: &Bson) -> String {
    match id {
        Bson::ObjectId(_) => format!("{}, which", document(id)),
        _ => format!("{} that", document(id)),
    }
}

/// Describes the value at a path; for a path with only the array or the map known, a value in the array or the map.
pub(super) fn place(path: &str) -> String {
    match path.strip_suffix(".*") {
        Some(path) => format!("a value in `{path}`"),
        None => format!("`{path}`"),
    }
}

/// Describes the place of a value.
pub(super) fn in_field(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!(" of `{field}`") }
}

/// The begin of a message about the stored form of a type of another crate; the rest of the message has no value.
pub(super) const STORED_FORM: &str = "in the stored form, ";

/// Lists the rest of the values that are too large.
pub(super) fn others(others: &[impl Display]) -> String {
    others.iter().map(|exceeded| format!("; {exceeded}")).collect()
}

/// Lists names.
pub(super) fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

pub(super) fn on(collection: &str) -> String {
    if collection.is_empty() { String::new() } else { format!(" on `{collection}`") }
}

pub(super) fn version(found: Option<i64>) -> String {
    found.map_or_else(|| "absent".to_owned(), |version| version.to_string())
}

pub(super) fn at_address(address: &str) -> String {
    if address.is_empty() { String::new() } else { format!(" at {address}") }
}

pub(super) fn failures(failures: &[impl Display]) -> String {
    if failures.is_empty() {
        return "the server does not say why".to_owned();
    }
    failures.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Describes the place of a value that does not fit, and the reason.
pub(super) fn misfit(path: &str, message: &str) -> String {
    let place = if path.is_empty() { String::new() } else { format!(" at `{path}`") };
    format!("{place}: {}", reason(message))
}

/// Returns serde's reason for a value that does not fit, without the value. The function knows serde's own messages;
/// any further message is not repeated.
pub(crate) fn reason(message: &str) -> String {
    // The frame that one of the two bson crates puts around the message.
    let message = message.split_once(". Message: ").map_or(message, |(_, message)| message.trim_end_matches('.'));
    if message.starts_with(STORED_FORM) {
        return message.to_owned();
    }
    let expected = || message.rsplit_once(", expected ").map(|(_, expected)| expected);
    if let Some(name) = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        return format!("the field `{name}` is missing");
    }
    if let (Some(found), Some(expected)) = (message.strip_prefix("invalid type: "), expected()) {
        return format!("found {}, expected {expected}", kind_of(found));
    }
    if let (Some(found), Some(expected)) = (message.strip_prefix("invalid value: "), expected()) {
        return match kind_of(found) {
            kind @ ("an integer" | "a floating point number") => {
                format!("found {kind} out of range, expected {expected}")
            }
            kind => format!("found {kind} with a value that does not fit, expected {expected}"),
        };
    }
    match (message, expected()) {
        (message, Some(expected)) if message.starts_with("unknown variant `") => {
            format!("found an unknown variant, expected {expected}")
        }
        (message, Some(expected)) if message.starts_with("unknown field `") => {
            format!("found an unknown field, expected {expected}")
        }
        (message, Some(expected)) if message.starts_with("invalid length ") => {
            format!("found another length, expected {expected}")
        }
        _ => "the type refuses the value".to_owned(),
    }
}

/// Returns why a value cannot be written, when the bson crates tell the reason.
pub(super) fn unwritable(message: &str) -> String {
    match message {
        message if message.starts_with(STORED_FORM) => format!(": {message}"),
        message if message.to_lowercase().contains("unsigned") => ": a number is above `i64::MAX`".to_owned(),
        _ => String::new(),
    }
}

/// Describes the size of a document.
pub(super) fn size(size: Option<usize>) -> String {
    match size {
        Some(size) => format!("has {size} bytes as BSON"),
        None => "would have too many bytes as BSON".to_owned(),
    }
}

/// Returns serde's name for the kind of a value, without the value.
fn kind_of(found: &str) -> &'static str {
    const KINDS: [(&str, &str); 17] = [
        ("boolean", "a boolean"),
        ("integer", "an integer"),
        ("floating point", "a floating point number"),
        ("character", "a character"),
        ("string", "a string"),
        ("byte array", "a byte array"),
        ("unit value", "null"),
        ("null", "null"),
        ("Option value", "an optional value"),
        ("newtype struct", "a newtype struct"),
        ("sequence", "an array"),
        ("map", "a document"),
        ("enum", "an enum"),
        ("unit variant", "a unit variant"),
        ("newtype variant", "a newtype variant"),
        ("tuple variant", "a tuple variant"),
        ("struct variant", "a struct variant"),
    ];
    KINDS.iter().find(|(word, _)| found.starts_with(word)).map_or("another type", |(_, kind)| kind)
}

/// Describes an error of the driver or the server that has no variant in `Error`. The server's message may repeat
/// values, so the text has only the server's number and name.
pub(super) fn driver(error: &DriverError) -> String {
    match &*error.kind {
        ErrorKind::Command(refused) => {
            format!("the server refused the command{}", number(refused.code, &refused.code_name))
        }
        ErrorKind::Write(WriteFailure::WriteError(refused)) => {
            format!("the server refused the write{}", number(refused.code, refused.code_name.as_deref().unwrap_or("")))
        }
        ErrorKind::Write(WriteFailure::WriteConcernError(unmet)) => {
            format!("the write is done, but the write concern failed{}", number(unmet.code, &unmet.code_name))
        }
        ErrorKind::InsertMany(_) | ErrorKind::BulkWrite(_) => match code::server_code(error) {
            Some(code) => format!("the server refused a write{}", number(code, "")),
            None => "the server refused a write".to_owned(),
        },
        ErrorKind::Authentication { message, .. } => format!("the login was refused: {message}"),
        ErrorKind::IncompatibleServer { message, .. } | ErrorKind::Transaction { message, .. } => message.clone(),
        ErrorKind::SessionsNotSupported => "the server has no sessions".to_owned(),
        ErrorKind::InvalidTlsConfig { .. } => "the TLS configuration is not valid".to_owned(),
        ErrorKind::InvalidResponse { .. } => "the server's reply does not fit the command".to_owned(),
        ErrorKind::InvalidArgument { .. } => "the driver refuses an argument".to_owned(),
        ErrorKind::Custom(_) => error.get_custom::<&'static str>().copied().unwrap_or("a custom error").to_owned(),
        _ => format!("the driver failed ({})", code::kind(error)),
    }
}

fn number(code: i32, name: &str) -> String {
    if name.is_empty() { format!(" with code {code}") } else { format!(" with code {code} ({name})") }
}

/// Lists the shard key fields without a value, and tells how to write the filter.
pub(super) fn missing_key(model: &str, names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("{}: give the whole shard key of `{model}` by `eq`, beside the remaining conditions", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{document, reason};
    use mongodb::bson::{Bson, oid::ObjectId};

    #[test]
    fn serdes_messages_lose_the_value() {
        for (message, text) in [
            ("invalid type: string \"se`cr\\\"et, expected u8\", expected i64", "found a string, expected i64"),
            ("invalid type: integer `42`, expected a string", "found an integer, expected a string"),
            ("invalid type: null, expected a string", "found null, expected a string"),
            ("invalid type: secret, expected a string", "found another type, expected a string"),
            ("invalid value: integer `300`, expected u8", "found an integer out of range, expected u8"),
            (
                "invalid value: string \"secret\", expected a language",
                "found a string with a value that does not fit, expected a language",
            ),
            ("unknown variant `secret`, expected `A` or `B`", "found an unknown variant, expected `A` or `B`"),
            ("unknown field `secret`, expected `a`", "found an unknown field, expected `a`"),
            ("invalid length 3, expected an array of length 2", "found another length, expected an array of length 2"),
            ("missing field `name`", "the field `name` is missing"),
            ("secret is no date", "the type refuses the value"),
            (
                "BSON error. Kind: An error occurred. Message: invalid type: string \"x\", expected i64.",
                "found a string, expected i64",
            ),
        ] {
            assert_eq!(reason(message), text);
        }
    }

    #[test]
    fn only_an_object_id_is_reported() {
        let id = ObjectId::from_bytes([1; 12]);
        assert_eq!(document(&Bson::ObjectId(id)), "the document 010101010101010101010101");
        assert_eq!(document(&Bson::String("ann@example.org".to_owned())), "a document");
    }
}

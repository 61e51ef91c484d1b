//! Names the missing right of a refused command. The message of the server holds values of the command, so only the
//! name of the command and the name of the collection are read. Pure.

use crate::error::{Error, code};

/// The commands, each with the privilege that the user needs (MongoDB manual, "Privilege Actions").
const ACTIONS: [(&str, &str); 16] = [
    ("aggregate", "find"),
    ("collMod", "collMod"),
    ("count", "find"),
    ("create", "createCollection"),
    ("createIndexes", "createIndex"),
    ("delete", "remove"),
    ("distinct", "find"),
    ("drop", "dropCollection"),
    ("dropIndexes", "dropIndex"),
    ("explain", "find"),
    ("find", "find"),
    ("findAndModify", "update"),
    ("insert", "insert"),
    ("listCollections", "listCollections"),
    ("listIndexes", "listIndexes"),
    ("update", "update"),
];

/// Returns the error with the name of the missing right, if a missing right is the cause and the name is known.
pub(super) fn with_right(error: Error) -> Error {
    let found = match &error {
        Error::Driver(driver) if code::is_unauthorized(driver) => named(&code::command_message(driver)),
        _ => None,
    };
    found.map_or(error, |(action, collection)| Error::NotAuthorized { action, collection })
}

/// Returns the privilege and the collection of a message such as `not authorized on shop to execute command { find:
/// "users", .. }`.
fn named(message: &str) -> Option<(&'static str, String)> {
    let (_, command) = message.split_once(" to execute command { ")?;
    let (name, rest) = command.split_once(": ")?;
    let action = ACTIONS.iter().find(|(command, _)| *command == name)?.1;
    let action = if rest.contains("{ $changeStream: {") { "changeStream" } else { action };
    let collection = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(collection, _)| collection);
    Some((action, collection.unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_the_right_and_no_value() {
        let message = |command: &str| format!("not authorized on shop to execute command {{ {command} }}");
        let read = |command: &str| named(&message(command));
        assert_eq!(read(r#"find: "users", filter: { name: "Ann" }"#), Some(("find", "users".to_owned())));
        assert_eq!(read(r#"update: "users", updates: [ { q: { a: "b" } } ]"#), Some(("update", "users".to_owned())));
        assert_eq!(read(r#"aggregate: 1, pipeline: [ { $changeStream: {} } ]"#), Some(("changeStream", String::new())));
        assert_eq!(read(r#"explain: { find: "users" }"#), Some(("find", String::new())));
        assert_eq!(read(r#"unknown: "users""#), None);
        assert_eq!(named("not authorized"), None);
    }
}

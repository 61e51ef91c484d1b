//! The server's numbers for its errors. Source: MongoDB, "error codes".

use mongodb::error::{Error, ErrorKind};

pub(crate) const UNAUTHORIZED: i32 = 13;
pub(crate) const INDEX_NOT_FOUND: i32 = 27;
pub(crate) const NAMESPACE_EXISTS: i32 = 48;
pub(crate) const INDEX_OPTIONS_CONFLICT: i32 = 85;
pub(crate) const INDEX_KEY_SPECS_CONFLICT: i32 = 86;
pub(crate) const DOCUMENT_VALIDATION_FAILURE: i32 = 121;
pub(crate) const CANNOT_CONVERT_INDEX_TO_UNIQUE: i32 = 359;
pub(crate) const DUPLICATE_KEY: i32 = 11000;

/// The code of an error of a command.
pub(crate) fn command_code(error: &Error) -> Option<i32> {
    match error.kind.as_ref() {
        ErrorKind::Command(command) => Some(command.code),
        _ => None,
    }
}

/// What the server says of an error of a command.
pub(crate) fn command_message(error: &Error) -> String {
    match error.kind.as_ref() {
        ErrorKind::Command(command) => command.message.clone(),
        _ => error.to_string(),
    }
}

/// Whether the user lacks the right to do this.
pub(crate) fn is_unauthorized(error: &Error) -> bool {
    command_code(error) == Some(UNAUTHORIZED)
}

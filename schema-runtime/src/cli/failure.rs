//! The ways in which a command ends without a result, with the exit code, the text and the JSON. No text holds a
//! connection string. Pure.

use serde_json::{Value, json};

use super::{exit::Exit, rights::with_right};
use crate::{diagram::DiagramError, error::Error};

/// The reason why a command has no result.
#[derive(Debug)]
pub(super) enum Failure {
    /// An error of the library.
    Library(Error),
    /// The command line or the configuration is wrong.
    Usage(String),
    /// A file cannot be read or written, or has another form.
    File(String),
    /// The command would ask, and no person can answer. Names the flag that answers.
    Unanswered(String),
    /// Ctrl-C stopped the command at once.
    Stopped,
    /// Ctrl-C stopped the command after the running work. Says how to go on.
    Halted(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Library(with_right(error))
    }
}

impl From<DiagramError> for Failure {
    /// Other arguments give a diagram.
    fn from(error: DiagramError) -> Self {
        let error = match error {
            DiagramError::UnknownName { name, nearest } => {
                DiagramError::UnknownName { name: repeated(&name).to_owned(), nearest }
            }
            other => other,
        };
        Failure::Usage(error.to_string())
    }
}

impl Failure {
    pub(super) fn exit(&self) -> Exit {
        match self {
            Failure::Library(_) | Failure::File(_) => Exit::Failed,
            Failure::Usage(_) => Exit::Usage,
            Failure::Unanswered(_) => Exit::NotAllowed,
            Failure::Stopped | Failure::Halted(_) => Exit::Stopped,
        }
    }

    pub(super) fn message(&self) -> String {
        match self {
            Failure::Library(error) => error.to_string(),
            Failure::Usage(message)
            | Failure::File(message)
            | Failure::Unanswered(message)
            | Failure::Halted(message) => message.clone(),
            Failure::Stopped => "stopped".to_owned(),
        }
    }

    /// Returns the class of the cause: for an error of the library, the name of the `ErrorKind`.
    fn cause(&self) -> String {
        match self {
            Failure::Library(error) => in_words(&format!("{:?}", error.kind())),
            Failure::Usage(_) => "usage".to_owned(),
            Failure::File(_) => "file".to_owned(),
            Failure::Unanswered(_) => "unanswered".to_owned(),
            Failure::Stopped | Failure::Halted(_) => "stopped".to_owned(),
        }
    }

    pub(super) fn json(&self) -> Value {
        json!({ "error": { "cause": self.cause(), "message": self.message() } })
    }
}

/// Returns an argument for a message. A text that may be a connection string is hidden.
pub(super) fn repeated(argument: &str) -> &str {
    if argument.contains(['@', '/']) { "(hidden)" } else { argument }
}

/// Returns the words of a name with `_` between the words: `NotFound` is `not_found`.
pub(super) fn in_words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_a_class_and_a_message() {
        let failure = Failure::from(Error::ServerTooOld { found: "5.0.1".to_owned() });
        assert_eq!(failure.exit(), Exit::Failed);
        assert_eq!(failure.json()["error"]["cause"], "setup");
        assert_eq!(in_words("NotFound"), "not_found");
    }
}

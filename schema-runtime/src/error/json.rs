//! The error of a JSON text that is no value of a struct.

use std::{borrow::Cow, fmt};

use super::{FailedRule, text};

/// Why a JSON text is no value of a struct, and the place in the text. The error holds names and numbers and no value
/// of the text, so the error may go to a client and to a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    path: String,
    kind: JsonErrorKind,
}

/// The mistake of a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// The text is no JSON.
    Syntax {
        /// The line of the mistake, from 1.
        line: usize,
        /// The column of the mistake, from 1.
        column: usize,
    },
    /// The value has another JSON type than the field.
    WrongType {
        /// The JSON type of the value: `a number`.
        found: &'static str,
        /// The expected form: `text`.
        expected: Cow<'static, str>,
    },
    /// The value has the JSON type of the field and another form, for example a text that is no date.
    WrongForm {
        /// The expected form: `a date of RFC 3339`.
        expected: Cow<'static, str>,
    },
    /// The number is out of the range of the field's type.
    OutOfRange {
        /// The expected range: `a whole number from 0 to 255`.
        expected: Cow<'static, str>,
    },
    /// The struct has no field of this name in JSON.
    UnknownField,
    /// An object has the name twice.
    DuplicateField,
    /// The struct needs the field, and the object has no such name.
    MissingField,
    /// The struct needs the field, and `#[json(skip)]` leaves the field out of JSON: add `#[serde(default)]` to the
    /// field, to read the struct from JSON.
    SkippedField,
    /// Arrays and objects lie deeper in each other than MongoDB stores.
    TooDeep {
        /// The most levels.
        most: usize,
    },
    /// The document is larger than MongoDB stores.
    TooLarge {
        /// The bytes of the document as BSON.
        bytes: usize,
        /// The most bytes.
        most: usize,
    },
    /// Values fail rules of the struct (`#[check(..)]`).
    Failed {
        /// Every failed rule and every exceeded bound, with the path in the names of JSON.
        failures: Vec<FailedRule>,
    },
    /// The field's own type refuses the value.
    Refused {
        /// The reason, without the value.
        reason: String,
    },
}

impl JsonError {
    /// Makes the error of the value at the top of a text.
    #[cfg(any(feature = "json", test))]
    pub(crate) fn new(kind: JsonErrorKind) -> Self {
        JsonError { path: String::new(), kind }
    }

    /// Returns the error with the path of a value that lies under a name or a position.
    #[cfg(feature = "json")]
    pub(crate) fn under(self, name: impl fmt::Display) -> Self {
        if let JsonErrorKind::Failed { failures } = self.kind {
            let name = name.to_string();
            let failures = failures.into_iter().map(|failed| failed.under(&name)).collect();
            return JsonError::new(JsonErrorKind::Failed { failures });
        }
        let path = if self.path.is_empty() { name.to_string() } else { format!("{name}.{}", self.path) };
        JsonError { path, ..self }
    }

    /// Returns the path of the wrong value in the names of JSON: `addresses.1.city`; `*` stands for a key of a map. The
    /// path is empty for the text as a whole, and for failed rules: each failed rule has a path. An unknown name is cut
    /// after 40 characters.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the mistake.
    pub fn kind(&self) -> &JsonErrorKind {
        &self.kind
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => write!(formatter, "the JSON text {}", self.kind),
            path => write!(formatter, "`{path}` of the JSON text {}", self.kind),
        }
    }
}

impl fmt::Display for JsonErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonErrorKind::Syntax { line, column } => write!(formatter, "is no JSON at line {line}, column {column}"),
            JsonErrorKind::WrongType { found, expected } => write!(formatter, "is {found}, expected {expected}"),
            JsonErrorKind::WrongForm { expected } => write!(formatter, "has another form, expected {expected}"),
            JsonErrorKind::OutOfRange { expected } => write!(formatter, "is out of range, expected {expected}"),
            JsonErrorKind::UnknownField => formatter.write_str("is a name that the struct does not have"),
            JsonErrorKind::DuplicateField => formatter.write_str("is given twice"),
            JsonErrorKind::MissingField => formatter.write_str("is missing"),
            JsonErrorKind::SkippedField => formatter
                .write_str("is skipped in JSON, and the struct needs a value: add `#[serde(default)]` to the field"),
            JsonErrorKind::TooDeep { most } => {
                write!(formatter, "has more than {most} levels of arrays and objects")
            }
            JsonErrorKind::TooLarge { bytes, most } => {
                write!(formatter, "has {bytes} bytes as BSON, the most is {most}")
            }
            JsonErrorKind::Failed { failures } => write!(formatter, "fails rules: {}", text::failures(failures)),
            JsonErrorKind::Refused { reason } => write!(formatter, "does not fit: {reason}"),
        }
    }
}

impl std::error::Error for JsonError {}

//! Patterns that a string may match. A text is taken literally: characters with a meaning in a pattern are escaped.

use mongodb::bson::{Document, doc};

/// A pattern that a string may match. A `&str` is the pattern of the text, anywhere in the string.
///
/// ```
/// # use schema_runtime::field::Pattern;
/// Pattern::from("3.5 mm");                              // the dot is a dot
/// Pattern::starts_with("gro").ignore_case();            // an index serves `starts_with`, with the case only
/// Pattern::regex("^#[0-9]+$");                          // the pattern is yours: never one from outside
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pattern: String,
    ignore_case: bool,
}

impl Pattern {
    /// The pattern of a text anywhere in the string.
    pub fn text(text: &str) -> Self {
        Pattern::regex(escape(text))
    }

    /// The pattern of a text at the start of the string. An index serves the pattern.
    pub fn starts_with(text: &str) -> Self {
        Pattern::regex(format!("^{}", escape(text)))
    }

    /// The pattern of a text at the end of the string.
    pub fn ends_with(text: &str) -> Self {
        Pattern::regex(format!(r"{}\z", escape(text)))
    }

    /// A pattern in the server's own words (PCRE). The way out: a pattern from outside may be slow or match anything.
    pub fn regex(pattern: impl Into<String>) -> Self {
        Pattern { pattern: pattern.into(), ignore_case: false }
    }

    /// Matches letters in either case. No index bounds such a search.
    pub fn ignore_case(self) -> Self {
        Pattern { ignore_case: true, ..self }
    }
}

impl From<&str> for Pattern {
    fn from(text: &str) -> Self {
        Pattern::text(text)
    }
}

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        Pattern::text(&text)
    }
}

impl From<&String> for Pattern {
    fn from(text: &String) -> Self {
        Pattern::text(text)
    }
}

impl Pattern {
    /// Returns the condition for the server: `$regex`.
    pub(crate) fn to_condition(&self) -> Document {
        if self.ignore_case {
            doc! { "$regex": &self.pattern, "$options": "i" }
        } else {
            doc! { "$regex": &self.pattern }
        }
    }

    /// Returns whether an index can find the matching strings by the beginning.
    pub(super) fn has_beginning(&self) -> bool {
        self.pattern.starts_with('^') && !self.ignore_case
    }
}

/// Escapes a text into a pattern that matches only the text. The server takes no zero byte in a pattern.
fn escape(text: &str) -> String {
    regex_syntax::escape(text).replace('\0', r"\x00")
}

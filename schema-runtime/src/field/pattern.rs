//! Patterns that a string may match. A text is taken as it is: what has a meaning in a pattern is escaped.

use mongodb::bson::{Document, doc};

/// What a string may match. From a `&str` it is that text, anywhere in the string.
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
    /// The text, anywhere in the string.
    pub fn text(text: &str) -> Self {
        Pattern::regex(escape(text))
    }

    /// The text at the start of the string. An index serves it.
    pub fn starts_with(text: &str) -> Self {
        Pattern::regex(format!("^{}", escape(text)))
    }

    /// The text at the end of the string.
    pub fn ends_with(text: &str) -> Self {
        Pattern::regex(format!(r"{}\z", escape(text)))
    }

    /// A pattern in the server's own words (PCRE). The way out: one that comes from outside may be slow or match anything.
    pub fn regex(pattern: impl Into<String>) -> Self {
        Pattern { pattern: pattern.into(), ignore_case: false }
    }

    /// Letters match in either case. No index bounds such a search.
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
    /// The condition of the server: `$regex`.
    pub(crate) fn to_condition(&self) -> Document {
        if self.ignore_case {
            doc! { "$regex": &self.pattern, "$options": "i" }
        } else {
            doc! { "$regex": &self.pattern }
        }
    }

    /// Whether an index can find what matches by how it begins.
    pub(super) fn has_beginning(&self) -> bool {
        self.pattern.starts_with('^') && !self.ignore_case
    }
}

/// A text as a pattern that only it matches. The server takes no zero byte in a pattern.
fn escape(text: &str) -> String {
    regex_syntax::escape(text).replace('\0', r"\x00")
}

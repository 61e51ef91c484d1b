//! Patterns that a string may match: of a text, where each character means itself, or of a program.

use mongodb::bson::{Document, doc};

use crate::error::{Error, Result};

/// The most bytes of a pattern that the server takes (`RegexMatchExpression::kMaxPatternSize` of MongoDB).
const MAX_BYTES: usize = 32_764;

/// A pattern of a program, for [`regex`](crate::field::QueryOperators::regex). The syntax is the syntax of PCRE, and
/// the server decides whether a pattern is valid.
///
/// No text becomes a pattern by itself. A pattern from outside may be slow or match anything: for a text from outside
/// take [`contains_text`](crate::field::QueryOperators::contains_text) and the methods beside `contains_text`.
///
/// ```
/// # use schema_runtime::Pattern;
/// # fn main() -> schema_runtime::Result<()> {
/// let colour = Pattern::new("^#[0-9a-f]{6}$")?.case_insensitive();
/// # let _ = colour;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pattern: String,
    case_insensitive: bool,
    multi_line: bool,
    dot_all: bool,
    extended: bool,
}

impl Pattern {
    /// Makes a pattern.
    ///
    /// # Errors
    ///
    /// [`Error::Filter`] for a pattern with a NUL byte, which no version of the server takes, and for a pattern of more
    /// than 32,764 bytes, MongoDB's limit of a pattern. A read by a pattern that the server cannot compile ends with
    /// [`Error::Driver`], also where only the compiled form is too large: 6.0 takes at most 32,761 bytes of a literal.
    pub fn new(pattern: impl Into<String>) -> Result<Self> {
        let pattern = pattern.into();
        if pattern.contains('\0') {
            return Err(Error::Filter { message: r"a pattern holds no NUL byte; write `\x00` in the pattern" });
        }
        if pattern.len() > MAX_BYTES {
            return Err(Error::Filter { message: "a pattern has at most 32,764 bytes" });
        }
        Ok(Pattern { pattern, case_insensitive: false, multi_line: false, dot_all: false, extended: false })
    }

    /// Matches letters in either case (the option `i`). No index bounds such a search.
    #[must_use]
    pub fn case_insensitive(self) -> Self {
        Pattern { case_insensitive: true, ..self }
    }

    /// Lets `^` and `$` match at the start and at the end of each line (the option `m`). No index bounds such a search.
    #[must_use]
    pub fn multi_line(self) -> Self {
        Pattern { multi_line: true, ..self }
    }

    /// Lets `.` match a line break, too (the option `s`).
    #[must_use]
    pub fn dot_all(self) -> Self {
        Pattern { dot_all: true, ..self }
    }

    /// Ignores white space in the pattern, and the rest of a line after `#` (the option `x`). MongoDB 6.0 takes a
    /// comment only with a line break behind the comment.
    #[must_use]
    pub fn extended(self) -> Self {
        Pattern { extended: true, ..self }
    }

    /// The pattern of a text anywhere in the string.
    pub(super) fn of_contained(text: &str) -> Result<Self> {
        Pattern::new(escape(text))
    }

    /// The pattern of a text at the start of the string. An index serves the pattern.
    pub(crate) fn of_start(text: &str) -> Result<Self> {
        Pattern::new(format!("^{}", escape(text)))
    }

    /// The pattern of a text at the end of the string.
    pub(super) fn of_end(text: &str) -> Result<Self> {
        Pattern::new(format!(r"{}\z", escape(text)))
    }

    /// Returns the condition for the server: `$regex`.
    pub(crate) fn to_condition(&self) -> Document {
        let flags = [(self.case_insensitive, 'i'), (self.multi_line, 'm'), (self.dot_all, 's'), (self.extended, 'x')];
        let options: String = flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, letter)| letter).collect();
        if options.is_empty() {
            doc! { "$regex": &self.pattern }
        } else {
            doc! { "$regex": &self.pattern, "$options": options }
        }
    }

    /// Returns whether an index can find the matching strings by the beginning.
    pub(super) fn has_beginning(&self) -> bool {
        self.pattern.starts_with('^') && !self.case_insensitive && !self.multi_line
    }
}

/// A [`Pattern`], by value or by reference.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a pattern",
    label = "`regex` takes a `Pattern`",
    note = "a text is not a pattern: characters like `.` and `*` would have a special meaning, and a text from outside could match anything",
    note = "help: `contains_text(..)` searches for a text as the text is; `regex(Pattern::new(\"..\")?)` searches by a pattern of the program"
)]
pub trait AsPattern {
    /// Returns the pattern.
    fn as_pattern(&self) -> &Pattern;
}

impl AsPattern for Pattern {
    fn as_pattern(&self) -> &Pattern {
        self
    }
}

impl AsPattern for &Pattern {
    fn as_pattern(&self) -> &Pattern {
        self
    }
}

/// Escapes a text into a pattern that matches only the text. The server takes no zero byte in a pattern.
fn escape(text: &str) -> String {
    regex_syntax::escape(text).replace('\0', r"\x00")
}

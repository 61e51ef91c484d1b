//! The settings of the kinds of indexes that have settings: text, wildcard and plane.

use syn::{Expr, Ident, LitStr};

/// The settings as written. A rule refuses a setting of another kind of index.
#[derive(Default)]
pub(crate) struct Settings {
    /// The weights of fields in `text(..)`.
    pub(crate) weights: Vec<Weight>,
    /// The name of the language, with the argument of the user.
    pub(crate) language: Option<(LitStr, Expr)>,
    /// The field with the language of a document, with the argument of the user.
    pub(crate) language_field: Option<(Ident, Expr)>,
    /// The paths of `only(..)` of a wildcard index.
    pub(crate) only: Vec<Place>,
    /// The paths of `except(..)` of a wildcard index.
    pub(crate) except: Vec<Place>,
    /// The bits of precision of a coordinate, with the argument of the user.
    pub(crate) bits: Option<(u64, Expr)>,
    /// The least coordinate, with the argument of the user.
    pub(crate) min: Option<(f64, Expr)>,
    /// The bound above all coordinates, with the argument of the user.
    pub(crate) max: Option<(f64, Expr)>,
}

/// The weight of a field in `text(..)`.
pub(crate) struct Weight {
    pub(crate) path: Vec<String>,
    pub(crate) weight: u64,
    pub(crate) tokens: Expr,
}

/// A path with the tokens of the user.
pub(crate) struct Place {
    pub(crate) path: Vec<String>,
    pub(crate) tokens: Expr,
}

/// The languages of MongoDB's text indexes, each with the variant of the runtime's `TextLanguage`. Source: MongoDB,
/// "Text Search Languages".
pub(crate) const LANGUAGES: [(&str, &str); 16] = [
    ("danish", "Danish"),
    ("dutch", "Dutch"),
    ("english", "English"),
    ("finnish", "Finnish"),
    ("french", "French"),
    ("german", "German"),
    ("hungarian", "Hungarian"),
    ("italian", "Italian"),
    ("norwegian", "Norwegian"),
    ("portuguese", "Portuguese"),
    ("romanian", "Romanian"),
    ("russian", "Russian"),
    ("spanish", "Spanish"),
    ("swedish", "Swedish"),
    ("turkish", "Turkish"),
    ("none", "Simple"),
];

//! Kinds of indexes with settings of their own: text, wildcard and plane.

/// The kind of an index, with the settings of the kind.
#[derive(Clone, Copy, Debug)]
pub enum IndexKind {
    /// Keys only.
    Plain,
    /// An index of words, for [`Filter::text`](crate::Filter::text).
    Text(TextIndex),
    /// An index of every path in a part of the document.
    Wildcard(WildcardPaths),
    /// An index of places on a plane.
    Plane(PlaneIndex),
}

/// The settings of a text index.
#[derive(Clone, Copy, Debug)]
pub struct TextIndex {
    /// The weights of fields; a field without a weight counts 1.
    pub weights: &'static [TextWeight],
    /// The language of the words; `None` for English.
    pub language: Option<TextLanguage>,
    /// The field of the model, in the names of Rust, that names the language of a document.
    pub language_field: Option<&'static str>,
}

/// The weight of a field in the score of a text search.
#[derive(Clone, Copy, Debug)]
pub struct TextWeight {
    /// The path, in the names of Rust.
    pub path: &'static [&'static str],
    /// The weight, from 1 to 99,999.
    pub weight: u32,
}

/// The paths of a wildcard index.
#[derive(Clone, Copy, Debug)]
pub enum WildcardPaths {
    /// Every path below the key.
    All,
    /// These paths of the document, in the names of Rust.
    Only(&'static [&'static [&'static str]]),
    /// Every path of the document, except these paths.
    Except(&'static [&'static [&'static str]]),
}

/// The settings of an index of places on a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneIndex {
    /// The bits of precision of a coordinate, from 1 to 32; `None` for 26.
    pub bits: Option<u8>,
    /// The least coordinate; `None` for -180.
    pub min: Option<f64>,
    /// The bound above all coordinates; `None` for 180.
    pub max: Option<f64>,
}

/// Defines the languages, each with the name and the code of the server.
macro_rules! languages {
    ($($(#[$doc:meta])* $variant:ident: $name:literal $(or $code:literal)?;)*) => {
        /// A language of text indexes and text searches: the server knows the stop words and the endings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum TextLanguage {
            $($(#[$doc])* $variant),*
        }

        impl TextLanguage {
            /// Returns the name, as the server spells the name.
            ///
            /// ```
            /// # use schema_runtime::TextLanguage;
            /// assert_eq!(TextLanguage::Norwegian.name(), "norwegian");
            /// ```
            pub const fn name(self) -> &'static str {
                match self {
                    $(TextLanguage::$variant => $name),*
                }
            }

            /// Returns the language of a name or a code of the server, in any case: `Norwegian`, `nb`.
            pub(crate) fn of(text: &str) -> Option<TextLanguage> {
                match text.to_ascii_lowercase().as_str() {
                    $($name $(| $code)? => Some(TextLanguage::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

languages! {
    /// Danish.
    Danish: "danish" or "da";
    /// Dutch.
    Dutch: "dutch" or "nl";
    /// English.
    English: "english" or "en";
    /// Finnish.
    Finnish: "finnish" or "fi";
    /// French.
    French: "french" or "fr";
    /// German.
    German: "german" or "de";
    /// Hungarian.
    Hungarian: "hungarian" or "hu";
    /// Italian.
    Italian: "italian" or "it";
    /// Norwegian.
    Norwegian: "norwegian" or "nb";
    /// Portuguese.
    Portuguese: "portuguese" or "pt";
    /// Romanian.
    Romanian: "romanian" or "ro";
    /// Russian.
    Russian: "russian" or "ru";
    /// Spanish.
    Spanish: "spanish" or "es";
    /// Swedish.
    Swedish: "swedish" or "sv";
    /// Turkish.
    Turkish: "turkish" or "tr";
    /// Simple words: no stop words, and no endings are removed.
    Simple: "none";
}

impl TextIndex {
    /// Creates the settings of a text index in English, with equal weights.
    pub const fn new() -> Self {
        TextIndex { weights: &[], language: None, language_field: None }
    }

    /// Sets the weights.
    pub const fn weights(self, weights: &'static [TextWeight]) -> Self {
        TextIndex { weights, ..self }
    }

    /// Sets the language.
    pub const fn language(self, language: TextLanguage) -> Self {
        TextIndex { language: Some(language), ..self }
    }

    /// Names the field with the language of a document.
    pub const fn language_field(self, field: &'static str) -> Self {
        TextIndex { language_field: Some(field), ..self }
    }
}

impl Default for TextIndex {
    fn default() -> Self {
        TextIndex::new()
    }
}

impl TextWeight {
    /// Creates the weight of a field.
    pub const fn new(path: &'static [&'static str], weight: u32) -> Self {
        TextWeight { path, weight }
    }
}

impl PlaneIndex {
    /// Creates the settings of the server: 26 bits, from -180 to 180.
    pub const fn new() -> Self {
        PlaneIndex { bits: None, min: None, max: None }
    }

    /// Sets the bits of precision of a coordinate.
    pub const fn bits(self, bits: u8) -> Self {
        PlaneIndex { bits: Some(bits), ..self }
    }

    /// Sets the least coordinate.
    pub const fn min(self, min: f64) -> Self {
        PlaneIndex { min: Some(min), ..self }
    }

    /// Sets the bound above all coordinates.
    pub const fn max(self, max: f64) -> Self {
        PlaneIndex { max: Some(max), ..self }
    }
}

impl Default for PlaneIndex {
    fn default() -> Self {
        PlaneIndex::new()
    }
}

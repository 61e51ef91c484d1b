//! The options of a collection, and the effect of a collection's validator on a write that the validator refuses.

use super::{CollationDefinition, CollectionKind, Compression};

/// Options of a collection.
#[derive(Clone, Copy, Debug)]
pub struct CollectionOptions {
    /// The writes that the validator judges.
    pub validation_level: ValidationLevel,
    /// The action of the server for a document that fails.
    pub validation_action: ValidationAction,
    /// The kind of the collection.
    pub kind: CollectionKind,
    /// True when change streams see a document before and after a change.
    pub pre_and_post_images: bool,
    /// The compression of the stored documents; `None` for the server's default.
    pub compression: Option<Compression>,
    /// The rules by which the collection compares texts; `None` for the comparison by bytes.
    pub collation: Option<CollationDefinition>,
}

/// The writes that a validator judges, in the server's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValidationLevel {
    /// No writes.
    Off,
    /// Inserts, and updates of documents that were valid before.
    Moderate,
    /// All writes.
    Strict,
}

/// The action of the server for a document that fails its validator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValidationAction {
    /// Refuses the write with error 121.
    Error,
    /// Takes the write and reports the failure in the server's log.
    Warn,
}

impl CollectionOptions {
    /// The server's defaults: `strict`, `error`.
    pub const DEFAULT: CollectionOptions = CollectionOptions {
        validation_level: ValidationLevel::Strict,
        validation_action: ValidationAction::Error,
        kind: CollectionKind::Plain,
        pre_and_post_images: false,
        compression: None,
        collation: None,
    };
}

impl ValidationLevel {
    /// Returns the server's word.
    pub const fn word(self) -> &'static str {
        match self {
            ValidationLevel::Off => "off",
            ValidationLevel::Moderate => "moderate",
            ValidationLevel::Strict => "strict",
        }
    }
}

impl ValidationAction {
    /// Returns the server's word.
    pub const fn word(self) -> &'static str {
        match self {
            ValidationAction::Error => "error",
            ValidationAction::Warn => "warn",
        }
    }
}

//! What a collection does with writes that its validator refuses.

/// Options of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollectionOptions {
    /// Which writes the validator judges.
    pub validation_level: ValidationLevel,
    /// What the server does with a document that fails.
    pub validation_action: ValidationAction,
}

/// Which writes a validator judges, in the server's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValidationLevel {
    /// None.
    Off,
    /// Inserts, and updates of documents that were valid before.
    Moderate,
    /// All.
    Strict,
}

/// What the server does with a document that fails its validator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValidationAction {
    /// Refuses the write with error 121.
    Error,
    /// Takes the write and says so in its log.
    Warn,
}

impl CollectionOptions {
    /// The server's defaults: `strict`, `error`.
    pub const DEFAULT: CollectionOptions =
        CollectionOptions { validation_level: ValidationLevel::Strict, validation_action: ValidationAction::Error };
}

impl ValidationLevel {
    /// The server's word.
    pub const fn word(self) -> &'static str {
        match self {
            ValidationLevel::Off => "off",
            ValidationLevel::Moderate => "moderate",
            ValidationLevel::Strict => "strict",
        }
    }
}

impl ValidationAction {
    /// The server's word.
    pub const fn word(self) -> &'static str {
        match self {
            ValidationAction::Error => "error",
            ValidationAction::Warn => "warn",
        }
    }
}

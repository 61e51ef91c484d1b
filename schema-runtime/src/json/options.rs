//! The choices of an application about JSON.

/// The choices of an application about JSON. Each choice has a default, and the free functions of [`json`](crate::json)
/// use the defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonOptions {
    pub(super) large_integers: LargeIntegers,
    pub(super) unknown_fields: UnknownFields,
    pub(super) hidden_fields: HiddenFields,
}

/// The form of integers that a double of JavaScript does not hold exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LargeIntegers {
    AsNumber,
    AsText,
}

/// The fate of loaded values of hidden fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HiddenFields {
    LeftOut,
    Written,
}

/// The fate of names that a struct does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnknownFields {
    Refused,
    Ignored,
}

/// The largest integer up to which a double holds each integer exactly.
pub(super) const LARGEST_EXACT: u64 = 1 << 53;

impl JsonOptions {
    /// The defaults: integers are numbers, unknown names are refused, and hidden fields are left out.
    pub const fn new() -> Self {
        JsonOptions {
            large_integers: LargeIntegers::AsNumber,
            unknown_fields: UnknownFields::Refused,
            hidden_fields: HiddenFields::LeftOut,
        }
    }

    /// Writes the loaded values of hidden fields (`#[hidden]`). The default leaves out hidden fields. A null and a
    /// value that was not loaded are left out in any case.
    pub const fn write_hidden_fields(self) -> Self {
        JsonOptions { hidden_fields: HiddenFields::Written, ..self }
    }

    /// Writes integers beyond 2^53 as text, since JavaScript rounds such numbers, and reads the text of such integers.
    pub const fn large_integers_as_text(self) -> Self {
        JsonOptions { large_integers: LargeIntegers::AsText, ..self }
    }

    /// Ignores names that a struct does not have. The default refuses the names.
    pub const fn ignore_unknown_fields(self) -> Self {
        JsonOptions { unknown_fields: UnknownFields::Ignored, ..self }
    }
}

impl Default for JsonOptions {
    fn default() -> Self {
        JsonOptions::new()
    }
}

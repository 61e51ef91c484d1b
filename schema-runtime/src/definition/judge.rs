//! A function of the user that judges a value (`#[check(with = is_code)]`).

use std::fmt;

use mongodb::bson::RawDocument;

use super::str_eq;

/// The field of the document that holds the judged value.
pub(crate) const JUDGED: &str = "value";

/// A function of the user, and the code that reads a value for the function.
#[derive(Clone, Copy)]
pub struct Judge {
    /// The function, as the attribute names the function.
    pub name: &'static str,
    /// The module of the attribute.
    module: &'static str,
    /// Returns the text of a refusal. The field `value` of the document holds the value, in the form that serde reads.
    pub(crate) ask: fn(&RawDocument) -> Option<&'static str>,
}

impl Judge {
    /// Creates the judge of an attribute in a module.
    pub const fn new(name: &'static str, module: &'static str, ask: fn(&RawDocument) -> Option<&'static str>) -> Self {
        Judge { name, module, ask }
    }

    /// Returns whether two attributes name one function in one module.
    pub(crate) const fn is(&self, other: &Judge) -> bool {
        str_eq(self.name, other.name) && str_eq(self.module, other.module)
    }
}

impl PartialEq for Judge {
    fn eq(&self, other: &Judge) -> bool {
        self.is(other)
    }
}

impl fmt::Debug for Judge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Judge({})", self.name)
    }
}

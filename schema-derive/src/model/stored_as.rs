//! The declared stored type of a field or of a type (`#[stored_as(DateTime)]`).

use quote::ToTokens;
use syn::{ExprPath, Type};

/// `#[stored_as(DateTime)]` on a field.
pub(crate) struct StoredAs {
    /// The declared type.
    pub(crate) ty: Type,
    /// The type of the field and the function that reads the field. Two fields of one name hold the same values.
    pub(crate) name: String,
}

impl StoredAs {
    pub(crate) fn new(ty: Type, of: &Type, decoder: Option<&ExprPath>) -> Self {
        let of = of.to_token_stream().to_string().replace(' ', "");
        let name = match decoder {
            Some(decoder) => format!("{of}, read by {}", decoder.to_token_stream().to_string().replace(' ', "")),
            None => of,
        };
        StoredAs { ty, name }
    }
}

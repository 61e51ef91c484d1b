//! The fields of stored documents that a struct does not have.

use proc_macro2::Ident;
use syn::{Expr, Path, Type};

use super::Number;
use crate::words::words;

words! {
    /// The effect of fields that the struct does not have.
    pub(crate) enum UnknownFields {
        Keep = "keep",
        Drop = "drop",
        Refuse = "refuse",
    }
}

/// `unknown_fields = refuse`, with the argument of the user.
pub(crate) struct GivenUnknownFields {
    pub(crate) fields: UnknownFields,
    pub(crate) tokens: Expr,
}

/// A field with `#[extra]`, which holds the unknown fields of a document.
pub(crate) struct Extra {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The attribute.
    pub(crate) tokens: Path,
    pub(crate) max_bytes: Option<Number>,
    /// True when serde skips the field.
    pub(crate) is_skipped: bool,
}

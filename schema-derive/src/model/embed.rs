//! The types that are stored inside of a model, and the partial views of a model.

use proc_macro2::Ident;
use syn::{Generics, Path, Type};

use super::{Check, Record, Stored, Tagged};

/// An item with `#[derive(Embed)]`.
#[allow(clippy::large_enum_variant, reason = "a value for each derive")]
pub(crate) enum Embed {
    Struct(Record),
    /// The variants of an enum, with the stored names.
    Enum {
        ident: Ident,
        variants: Vec<(Ident, String)>,
    },
    /// An enum that holds data.
    Tagged(Tagged),
    /// A type that serde writes as a value of the declared type.
    StoredAs {
        ident: Ident,
        generics: Generics,
        ty: Box<Type>,
    },
    /// The type inside of a newtype, with the `max_len` or `max_bytes`.
    Newtype {
        ident: Ident,
        generics: Generics,
        ty: Box<Type>,
        storage: Stored,
        checks: Vec<Check>,
    },
}

/// `#[derive(Projection)]`
pub(crate) struct Projection {
    pub(crate) record: Record,
    pub(crate) of: Path,
}

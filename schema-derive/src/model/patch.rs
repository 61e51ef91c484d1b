//! A struct of optional changes.

use proc_macro2::Ident;
use syn::{Path, Type};

/// `#[derive(Patch)]`
pub(crate) struct Patch {
    pub(crate) ident: Ident,
    /// The model whose documents change.
    pub(crate) of: Path,
    pub(crate) fields: Vec<PatchField>,
}

/// A field of a patch.
pub(crate) struct PatchField {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The type inside of the outer `Option`.
    pub(crate) value: Type,
    /// The field of the model, as the path of names in Rust: `address.city`.
    pub(crate) path: Vec<Ident>,
    pub(crate) form: PatchForm,
    pub(crate) json: PatchJson,
}

/// The field of a patch in JSON.
pub(crate) enum PatchJson {
    /// A value of the field's type, under this name.
    Typed(String),
    /// A value in the form of the user's function, under this name.
    Converted(String),
    /// serde never reads the field.
    Absent,
}

/// The form of the type of a field of a patch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatchForm {
    /// A type that always has a value; a rule reports the field.
    Plain,
    /// `Option<T>`
    Optional,
    /// `Option<Option<T>>`
    Nullable(SerdeNull),
}

/// The words of serde that a field `Option<Option<T>>` lacks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct SerdeNull {
    /// True when serde would read a null as an absent field.
    pub(crate) lacks_reader: bool,
    /// True when serde would write an absent field as a null.
    pub(crate) lacks_skip: bool,
}

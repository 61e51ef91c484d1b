//! `#[hidden]`: a field that a read gets only by name.

use syn::{Path, Type};

/// `#[hidden] password: Hidden<String>`. The type of the field in the model is the type inside of `Hidden<..>`.
pub(crate) struct Hidden {
    /// The user's word; `None` for a `Hidden<..>` without `#[hidden]`.
    pub(crate) tokens: Option<Path>,
    /// `Hidden<String>`, as written; `None` where the user wrote another type.
    pub(crate) written: Option<Type>,
    /// True when an absent field reads as a value of the user.
    pub(crate) has_own_default: bool,
}

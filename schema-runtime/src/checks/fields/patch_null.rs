//! Rule: `patch_null`. The page is `guide/pages/rules/patch_null.md`.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::definition::refuse;

/// The question whether serde reads or writes a type. The inherent constants win over the constants of
/// [`NoSerde`], where the type has the traits of serde.
pub struct Serde<T>(PhantomData<T>);

/// The answers about a type without the traits of serde.
pub trait NoSerde {
    /// True when serde reads the type.
    const IS_READ: bool = false;
    /// True when serde writes the type.
    const IS_WRITTEN: bool = false;
}

impl<T> NoSerde for Serde<T> {}

impl<T: for<'de> Deserialize<'de>> Serde<T> {
    /// Serde reads the type.
    pub const IS_READ: bool = true;
}

impl<T: Serialize> Serde<T> {
    /// Serde writes the type.
    pub const IS_WRITTEN: bool = true;
}

/// Judges a field `Option<Option<T>>` of a patch, whose attributes of serde lack a word for a read or a write that
/// serde does.
#[track_caller]
pub const fn patch_null(field: &str, lacks: bool) {
    if lacks {
        refuse! {
            "serde takes null and an absent `{}` for the same, and the patch would never set null", field;
            help: "write `#[serde(default, skip_serializing_if = \"Option::is_none\", with = \"schema_runtime::patch::nullable\")]` above `{}`", field
        }
    }
}

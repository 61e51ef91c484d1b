//! An enum that holds data, stored as a document with a tag.

use proc_macro2::Ident;
use syn::{Type, Visibility};

use super::Record;

/// Words that cannot name a method, not even with `r#`.
pub(crate) const KEYWORDS: [&str; 3] = ["self", "super", "crate"];

pub(crate) struct Tagged {
    pub(crate) ident: Ident,
    pub(crate) visibility: Visibility,
    /// The stored name of the field that names the variant of a document.
    pub(crate) tag: String,
    /// The stored name of the field that holds the data; `None` when the data is beside the tag.
    pub(crate) content: Option<String>,
    /// The fields that all variants have, with the same name, type and bound.
    pub(crate) shared: Record,
    /// The stored variants.
    pub(crate) variants: Vec<Variant>,
    /// True when serde skips some variants.
    pub(crate) has_skipped: bool,
}

pub(crate) struct Variant {
    pub(crate) ident: Ident,
    /// The stored name.
    pub(crate) name: String,
    pub(crate) data: Data,
}

/// The data of a variant.
#[allow(clippy::large_enum_variant, reason = "a value for each variant of an enum")]
pub(crate) enum Data {
    /// Nothing but the name.
    Nothing,
    /// Fields that are written in the variant.
    Fields(Record),
    /// An embedded struct.
    Struct(Box<Type>),
}

impl Tagged {
    /// Returns the fields that are written in the enum, for each variant.
    pub(crate) fn records(&self) -> impl Iterator<Item = &Record> {
        self.variants.iter().filter_map(|variant| match &variant.data {
            Data::Fields(record) => Some(record),
            Data::Nothing | Data::Struct(_) => None,
        })
    }

    /// Returns whether the variant of this name has the method of an earlier variant.
    pub(crate) fn is_second(&self, ident: &Ident) -> bool {
        let Some(at) = self.variants.iter().position(|variant| variant.ident == *ident) else { return false };
        self.variants[..at].iter().any(|earlier| earlier.method() == self.variants[at].method())
    }
}

impl Variant {
    /// Returns the method that leads to the fields of the variant: `Text` is `text`.
    pub(crate) fn method(&self) -> String {
        method_of(&self.ident)
    }

    /// Returns the method of a model that finds the documents of the variant: `Circle` is `circles`, `Box` is `boxes`,
    /// `Category` is `categories`.
    pub(crate) fn view(&self) -> String {
        Variant::view_of(&self.ident)
    }

    /// Returns the same method for a variant with this name.
    pub(crate) fn view_of(ident: &Ident) -> String {
        let method = method_of(ident);
        let is_vowel = |letter: char| "aeiou".contains(letter);
        match method.strip_suffix('y') {
            Some(stem) if !stem.ends_with(is_vowel) => format!("{stem}ies"),
            _ if ["s", "x", "z", "ch", "sh"].iter().any(|end| method.ends_with(end)) => method + "es",
            _ => method + "s",
        }
    }
}

fn method_of(ident: &Ident) -> String {
    heck::ToSnakeCase::to_snake_case(crate::parse::identifier(ident).as_str())
}

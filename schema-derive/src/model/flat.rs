//! `#[embed(flat)]`: an embedded struct with the fields stored beside the fields of the struct around the field.

use proc_macro2::Ident;
use syn::{Path, Type, Visibility};

use super::{Changes, CopiedTo, Record};

/// A field with `#[embed(flat)]`.
pub(crate) struct Flat {
    pub(crate) ident: Ident,
    pub(crate) visibility: Visibility,
    /// The name in Rust, without `r#`.
    pub(crate) rust_name: String,
    /// The struct with the stored fields.
    pub(crate) ty: Type,
    /// The holders that the fields of the struct are copied to.
    pub(crate) copied_to: Vec<CopiedTo>,
    /// How often the fields of the struct change.
    pub(crate) changes: Changes,
    /// The word `embed` of the user.
    pub(crate) tokens: Path,
    /// True when the attributes have a mistake already.
    pub(crate) broken: bool,
}

impl Record {
    /// Returns the flat field of this name in Rust.
    pub(crate) fn flat(&self, rust_name: &str) -> Option<&Flat> {
        self.flats.iter().find(|flat| flat.rust_name == rust_name)
    }

    /// Returns each place that a field is copied to, with the name of the field in Rust.
    pub(crate) fn copied(&self) -> impl Iterator<Item = (&str, &CopiedTo)> {
        let of_fields = self.fields.iter().map(|field| (field.rust_name.as_str(), &field.copied_to));
        let of_flats = self.flats.iter().map(|flat| (flat.rust_name.as_str(), &flat.copied_to));
        of_fields.chain(of_flats).flat_map(|(name, copied)| copied.iter().map(move |copied| (name, copied)))
    }

    /// Returns each place that a field is copied to, of the fields that rules judge.
    pub(crate) fn judged_copied(&self) -> impl Iterator<Item = (&str, &CopiedTo)> {
        let is_judged = |name: &str| self.judged().any(|field| field.rust_name == name) || self.flat(name).is_some();
        self.copied().filter(move |(name, _)| is_judged(name))
    }
}

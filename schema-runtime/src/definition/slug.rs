//! A text for addresses, made from another field.

/// A field with `#[slug(..)]`.
#[derive(Clone, Copy, Debug)]
pub struct SlugDefinition {
    /// The field of the same struct, in Rust, that it is made from.
    pub from: &'static str,
    /// Whether an update of that field makes a new one.
    pub follow: bool,
    /// Where a document keeps its slugs, the current one first.
    pub kept: Option<KeptSlugs>,
}

/// The list of a document's slugs, a field of this crate's own.
#[derive(Clone, Copy, Debug)]
pub struct KeptSlugs {
    /// The stored name.
    pub name: &'static str,
    /// The most earlier ones that it holds.
    pub most: u64,
}

impl SlugDefinition {
    /// One that stays as it is.
    pub const fn new(from: &'static str) -> Self {
        SlugDefinition { from, follow: false, kept: None }
    }

    /// The same with `follow`.
    pub const fn follow(self) -> Self {
        SlugDefinition { follow: true, ..self }
    }

    /// The same with `keep_old`, in a field of this stored name.
    pub const fn keep_old(self, name: &'static str, most: u64) -> Self {
        SlugDefinition { kept: Some(KeptSlugs { name, most }), ..self }
    }
}

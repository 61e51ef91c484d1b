//! A text for addresses, made from another field.

use super::{FieldDefinition, ModelDefinition, each};

/// A field with `#[slug(..)]`.
#[derive(Clone, Copy, Debug)]
pub struct SlugDefinition {
    /// The source field in the same struct, in Rust.
    pub from: &'static str,
    /// True when an update of the source field makes a new slug.
    pub follow: bool,
    /// The list of a document's slugs, the current slug first.
    pub kept: Option<KeptSlugs>,
}

/// The list of a document's slugs, a field that belongs to this crate.
#[derive(Clone, Copy, Debug)]
pub struct KeptSlugs {
    /// The stored name.
    pub name: &'static str,
    /// The most earlier slugs in the list.
    pub most: u64,
}

impl SlugDefinition {
    /// Creates a slug that stays the same.
    pub const fn new(from: &'static str) -> Self {
        SlugDefinition { from, follow: false, kept: None }
    }

    /// Adds `follow`.
    pub const fn follow(self) -> Self {
        SlugDefinition { follow: true, ..self }
    }

    /// Adds `keep_old`, with the list in a field of this stored name.
    pub const fn keep_old(self, name: &'static str, most: u64) -> Self {
        SlugDefinition { kept: Some(KeptSlugs { name, most }), ..self }
    }
}

impl ModelDefinition {
    /// Returns the field whose earlier slugs a document keeps; `None` without a `keep_old`.
    pub const fn keeps_slugs(&self) -> Option<&'static FieldDefinition> {
        each!(for field in self.fields {
            if let Some(slug) = field.slug
                && slug.kept.is_some()
            {
                return Some(field);
            }
        });
        None
    }

    /// Returns the paths that an update changes, together with the slugs that follow the changed fields.
    pub(crate) fn with_slugs(&self, mut touched: Vec<String>) -> Vec<String> {
        let follows = |field: &&FieldDefinition| {
            let from = field.slug.filter(|slug| slug.follow).and_then(|slug| self.field(slug.from));
            from.is_some_and(|from| touched.iter().any(|path| path == from.name))
        };
        let slugs: Vec<String> = self.fields.iter().filter(follows).map(|field| field.name.to_owned()).collect();
        touched.extend(slugs.into_iter().filter(|slug| !touched.contains(slug)).collect::<Vec<_>>());
        touched
    }
}

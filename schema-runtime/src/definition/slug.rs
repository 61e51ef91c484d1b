//! A text for addresses, made from another field.

use super::{FieldDefinition, ModelDefinition};

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

impl ModelDefinition {
    /// The field by which a document keeps its earlier slugs, if one does.
    pub const fn keeps_slugs(&self) -> Option<&'static FieldDefinition> {
        let mut at = 0;
        while at < self.fields.len() {
            if let Some(slug) = self.fields[at].slug
                && slug.kept.is_some()
            {
                return Some(&self.fields[at]);
            }
            at += 1;
        }
        None
    }

    /// The paths that an update changes, and with them the slugs that follow.
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

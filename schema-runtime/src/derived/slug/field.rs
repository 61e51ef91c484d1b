//! A field with a slug, in stored names.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    changes::{ChangeSet, FieldEffect},
    definition::{FieldDefinition, KeptSlugs, Kind, ModelDefinition},
    error::Error,
};

/// A field with `#[slug(..)]`, with the stored source field and the largest number of characters.
#[derive(Debug)]
pub(super) struct SlugField {
    pub(super) name: &'static str,
    pub(super) from: &'static str,
    pub(super) max_len: usize,
    pub(super) follow: bool,
    pub(super) kept: Option<KeptSlugs>,
}

/// Returns the slugs of a model.
pub(super) fn slugs(definition: &'static ModelDefinition) -> impl Iterator<Item = SlugField> {
    definition.fields.iter().filter_map(|field| {
        let slug = field.slug?;
        let from = definition.field(slug.from)?.name;
        Some(SlugField { name: field.name, from, max_len: max_len(field), follow: slug.follow, kept: slug.kept })
    })
}

/// Returns the slugs that an update may change in addition to its own fields: the slug follows a field, or a list is
/// written with the slug.
pub(super) fn moved(definition: &'static ModelDefinition) -> impl Iterator<Item = SlugField> {
    slugs(definition).filter(|slug| slug.follow || slug.kept.is_some())
}

fn max_len(field: &FieldDefinition) -> usize {
    match field.shape.kind {
        Kind::String { max_len: Some(max_len) } => usize::try_from(max_len).unwrap_or(usize::MAX),
        _ => usize::MAX,
    }
}

impl SlugField {
    pub(super) fn is_empty_in(&self, document: &Document) -> bool {
        document.get(self.name).and_then(Bson::as_str).is_some_and(str::is_empty)
    }

    /// Returns whether an index of the slug refused the write. The index may have a foreign name.
    pub(super) fn is_duplicate(&self, error: &Error) -> bool {
        let Error::DuplicateKey { key, .. } = error.cause() else { return false };
        let begins = |name: &str| key.starts_with(&format!("{{ {name}: "));
        begins(self.name) || self.kept.is_some_and(|kept| begins(kept.name))
    }

    /// Returns whether an index of the slug refused the made slug.
    pub(super) fn is_duplicate_of(&self, error: &Error, made: &str) -> bool {
        let is_named = |key: &str| key.contains(&format!("\"{made}\""));
        self.is_duplicate(error) && matches!(error.cause(), Error::DuplicateKey { key, .. } if is_named(key))
    }

    /// Returns whether an update may change the slug.
    pub(super) fn is_changed_by(&self, touched: &[String]) -> bool {
        touched.iter().any(|path| path == self.name || self.follow && path == self.from)
    }

    /// Returns the value that an update sets the field to; `Err` for a different change of the field.
    pub(super) fn set_to<'s>(&self, changes: &'s ChangeSet, name: &'s str) -> Result<Option<&'s str>, ()> {
        let mut text = None;
        for effect in changes.effects_on(name) {
            match effect {
                FieldEffect::Set(Bson::String(value)) => text = Some(value.as_str()),
                _ => return Err(()),
            }
        }
        Ok(text)
    }

    /// Returns the filter of the documents that have one of the given slugs, now or earlier.
    pub(super) fn held(&self, slugs: &[String]) -> Document {
        let held = doc! { self.name: { "$in": slugs } };
        match self.kept {
            Some(kept) => doc! { "$or": [held, { kept.name: { "$in": slugs } }] },
            None => held,
        }
    }

    /// Returns the projection of the slug and the list.
    pub(super) fn projection(&self) -> Document {
        let mut projection = doc! { self.name: 1 };
        if let Some(kept) = self.kept {
            projection.insert(kept.name, 1);
        }
        projection
    }

    /// Returns the slugs of a document: the current slug, and the list.
    pub(super) fn all_in(&self, document: &Document) -> Vec<String> {
        let mut all: Vec<String> = document.get_str(self.name).ok().map(str::to_owned).into_iter().collect();
        for old in self.list_in(document) {
            if !all.contains(&old) {
                all.push(old);
            }
        }
        all
    }

    fn list_in(&self, document: &Document) -> Vec<String> {
        let list = self.kept.and_then(|kept| document.get_array(kept.name).ok());
        list.into_iter().flatten().filter_map(|slug| Some(slug.as_str()?.to_owned())).collect()
    }

    /// Returns the list of a document with the given earlier slugs and the given current slug.
    pub(super) fn list(&self, kept: KeptSlugs, current: &str, had: &[String]) -> Vec<String> {
        let old = had.iter().filter(|old| *old != current).cloned();
        let most = usize::try_from(kept.most).unwrap_or(usize::MAX);
        [current.to_owned()].into_iter().chain(old.take(most)).collect()
    }
}

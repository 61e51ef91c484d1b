//! The names that an attribute with a mistake would bring. The names still exist, so that no use of a name is a second
//! mistake.

use std::collections::BTreeSet;

use heck::ToShoutySnakeCase;
use proc_macro2::Ident;

use super::{Field, Model, Relation, Stored};
use crate::parse::identifier;

/// The accessor that a tree brings.
pub(crate) const CHILDREN: &str = "children";

/// A name that an attribute brings, independent of the words in the attribute.
pub(crate) struct Lost {
    pub(crate) name: Ident,
    pub(crate) form: LostForm,
}

/// How the name is used.
#[derive(Clone, Copy)]
pub(crate) enum LostForm {
    /// `Post::AUTHOR`, and `Post::by_slug(..)` with any arguments.
    OfType,
    /// `post.author()`, with this number of arguments.
    OfValue(usize),
}

impl Field {
    /// Returns whether a mistake hides the names that the field brings.
    fn is_lost(&self) -> bool {
        let is_unserved = |relation: &Relation| !relation.cardinality.storages().contains(&relation.storage);
        self.broken || self.defect.is_some() || self.relation().is_some_and(is_unserved) || self.misfit().is_some()
    }
}

impl Model {
    /// Removes the unreliable parts of the model after a mistake. The lost names are then the names of the removed
    /// parts.
    pub(crate) fn lose(&mut self) {
        self.has_lost_tree = self.bucket.is_none() && self.lost.iter().any(|lost| lost.name == CHILDREN);
        for field in &mut self.record.fields {
            if !field.is_lost() {
                field.lost.clear();
                continue;
            }
            field.broken = true;
            field.slug = None;
            field.tree = None;
            if let Stored::Relation(_) | Stored::History(_) = &field.storage {
                field.storage = Stored::Plain;
            }
        }
    }

    /// Returns the names that the derive defines for the model, also after a mistake in an attribute.
    pub(crate) fn defined(&self) -> BTreeSet<String> {
        let constants = self.accessors().map(|method| method.name.to_shouty_snake_case());
        let queries = self.queries.iter().map(|query| identifier(&query.name));
        self.methods().into_iter().chain(constants).chain(queries).collect()
    }

    /// Returns the names that mistakes would leave undefined.
    pub(crate) fn lost(&self) -> impl Iterator<Item = &Lost> {
        self.record.fields.iter().flat_map(|field| &field.lost).chain(&self.lost)
    }
}

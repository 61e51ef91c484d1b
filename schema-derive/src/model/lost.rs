//! What an attribute with a mistake would bring: its names are there all the same, so that no use of them is a second mistake.

use std::collections::BTreeSet;

use heck::ToShoutySnakeCase;
use proc_macro2::Ident;

use super::{Field, Model, Relation, Stored};
use crate::parse::identifier;

/// The accessor that a tree brings.
pub(crate) const CHILDREN: &str = "children";

/// A name that an attribute brings, whatever else the attribute says.
pub(crate) struct Lost {
    pub(crate) name: Ident,
    pub(crate) form: LostForm,
}

/// How the name is used.
#[derive(Clone, Copy)]
pub(crate) enum LostForm {
    /// `Post::AUTHOR`, and `Post::by_slug(..)`, whatever its arguments are.
    OfType,
    /// `post.author()`, with so many arguments.
    OfValue(usize),
}

impl Field {
    /// Whether a mistake leaves unknown what the field brings.
    fn is_lost(&self) -> bool {
        let is_unserved = |relation: &Relation| !relation.cardinality.storages().contains(&relation.storage);
        self.broken || self.defect.is_some() || self.relation().is_some_and(is_unserved) || self.misfit().is_some()
    }
}

impl Model {
    /// After a mistake: takes out what nobody can rely on, so that its names are those of what is lost.
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

    /// The names that the derive defines for it, however its attributes are.
    pub(crate) fn defined(&self) -> BTreeSet<String> {
        let constants = self.accessors().map(|method| method.name.to_shouty_snake_case());
        let queries = self.queries.iter().map(|query| identifier(&query.name));
        self.methods().into_iter().chain(constants).chain(queries).collect()
    }

    /// The names that mistakes would leave undefined.
    pub(crate) fn lost(&self) -> impl Iterator<Item = &Lost> {
        self.record.fields.iter().flat_map(|field| &field.lost).chain(&self.lost)
    }
}

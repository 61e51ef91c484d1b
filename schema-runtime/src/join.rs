//! Joins: the queries for the server (`query`, pure), the reads (`load`), and the results.

mod iterate;
pub(crate) mod joined;
pub(crate) mod load;
pub(crate) mod loaded;
mod page;
mod pairs;
pub(crate) mod query;
pub(crate) mod rows;
mod slot;

pub use joined::CompleteJoin;
pub(crate) use joined::Joined;
pub(crate) use loaded::{Loaded, Spans};
pub use pairs::Pair;
pub use rows::Row;
pub(crate) use rows::{JoinedName, Rows};
pub use slot::{Found, JoinEntry, View};

pub(crate) use slot::Slot;

use mongodb::bson::Document;
use serde::de::DeserializeOwned;

use crate::{
    definition::{ModelDefinition, RelationDefinition},
    field::{Field, Record},
    model::Model,
};

/// A type that a document can be read into: a model, or a [`Projection`](trait@crate::Projection) of a model.
pub trait Item: Record + DeserializeOwned + Send + Sync + 'static {}

impl<T: Record + DeserializeOwned + Send + Sync + 'static> Item for T {}

/// A type that an element of an array can be read into.
pub trait ElementItem: Field + DeserializeOwned + Send + Sync + 'static {}

impl<T: Field + DeserializeOwned + Send + Sync + 'static> ElementItem for T {}

/// The visit of the references of a model: calls the closure with each `_id`, in order.
pub type Visit<P, C> = for<'a> fn(&'a P, &mut dyn FnMut(&'a <C as Model>::Id));

/// The projection document of a read; empty for whole documents.
pub(crate) type Fields = fn() -> Document;

/// The name of a relation, for errors: `Product.parts`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    pub(crate) model: &'static str,
    pub(crate) field: &'static str,
}

impl std::fmt::Display for Name {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{}", self.model, self.field)
    }
}

impl Name {
    pub(crate) fn new(model: &ModelDefinition, field: &'static str) -> Self {
        Name { model: model.model, field }
    }
}

/// Returns the relation that derived code names.
///
/// # Panics
/// When the model has no such relation. Derived code rules out the panic, because derived code names a field of its own
/// model.
pub(crate) fn relation_of(model: &ModelDefinition, field: &str) -> &'static RelationDefinition {
    model.relation(field).unwrap_or_else(|| panic!("`{}` stores no relation in `{field}`", model.model))
}

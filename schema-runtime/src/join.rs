//! Joins: what is asked of the server (`query`, pure), the asking (`load`), and what comes back.

mod iterate;
mod joined;
pub(crate) mod load;
mod loaded;
mod page;
mod pairs;
pub(crate) mod query;
mod rows;
mod slot;

pub use joined::{CompleteJoin, Joined};
pub use loaded::Loaded;
pub(crate) use loaded::Spans;
pub use pairs::Pair;
pub use rows::{Row, Rows};
pub use slot::{Found, JoinEntry, View};

pub(crate) use slot::Slot;

use mongodb::bson::Document;
use serde::de::DeserializeOwned;

use crate::{
    definition::{ModelDefinition, RelationDefinition},
    model::Model,
};

/// What a document can be read into: a model, or a [`Projection`](crate::model::Projection) of one.
pub trait Item: DeserializeOwned + Send + Sync + 'static {}

impl<T: DeserializeOwned + Send + Sync + 'static> Item for T {}

/// How the references that a model holds are reached: hands over each `_id`, in order.
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

/// The relation that derived code names.
///
/// # Panics
/// When there is none, which derived code rules out: it names a field of its own model.
pub(crate) fn relation_of(model: &ModelDefinition, field: &str) -> &'static RelationDefinition {
    model.relation(field).unwrap_or_else(|| panic!("`{}` stores no relation in `{field}`", model.model))
}

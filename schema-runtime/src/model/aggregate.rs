//! A typed group of documents of a model.

use serde::de::DeserializeOwned;

use super::{Model, Projection};
use crate::{
    definition::{AggregateDefinition, Shape},
    field::Record,
};

/// A struct of the values of each group of documents of `Of`. The derive implements the trait; see
/// [the manual](crate::manual::aggregation).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the result of an aggregation",
    label = "this has no `#[derive(Aggregate)]`",
    note = "help: write `#[derive(Aggregate, Deserialize)] #[aggregate(of = .., by(..))]` on a struct with the keys and the values of each group"
)]
pub trait Aggregate: Record + DeserializeOwned + Send + Sync + 'static {
    /// The model of the documents.
    type Of: Model;
    /// The tokens of the fields, for `having` and `sort`.
    type Fields: 'static;
    /// The tokens of the fields, for `having` and `sort`: `CustomerMonth::F.revenue`.
    const F: Self::Fields;
    /// The keys and the values.
    const AGGREGATE: AggregateDefinition;
}

/// A list of documents of a group.
#[diagnostic::on_unimplemented(
    message = "`top` gives a list of a projection, and `{Self}` is no such list",
    label = "this is no `Vec` of a projection",
    note = "help: write `Vec<OrderCard>` of a struct with `#[derive(Projection, Deserialize)]`"
)]
pub trait TopRows {
    /// The projection.
    type Item: Projection;
    /// The shape of one document.
    const ITEM: Shape = Shape::document(<Self::Item as Record>::STRUCT, <Self::Item as Record>::FIELDS, true);
    /// The shape of the list.
    const SHAPE: Shape = Shape::list(&Self::ITEM);
}

impl<P: Projection> TopRows for Vec<P> {
    type Item = P;
}

//! A page of documents of a model, and the numbers beside the page.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Model, Projection, TopRows};
use crate::{
    definition::{FacetsDefinition, FieldDefinition, Shape},
    field::{Field, Record},
};

/// A struct of facets of the documents of `Of`. The derive implements the trait; see
/// [the page `facets`](crate::guide).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the result of a read of facets",
    label = "this has no `#[derive(Facets)]`",
    note = "help: write `#[derive(Facets, Deserialize)] #[facets(of = ..)]` on a struct with a field for each facet"
)]
pub trait Facets: Record + DeserializeOwned + Send + Sync + 'static {
    /// The model of the documents.
    type Of: Model;
    /// The facets.
    const FACETS: FacetsDefinition;
}

/// A value of a facet, with the number of documents that have the value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FacetCount<T> {
    /// The value; the begin of a range.
    pub value: T,
    /// The number of documents.
    pub count: u64,
}

/// A list of values with numbers of documents.
#[diagnostic::on_unimplemented(
    message = "`count_by` and `ranges` give a list of values with numbers, and `{Self}` is no such list",
    label = "this is no `Vec` of `FacetCount`",
    note = "help: write `Vec<FacetCount<T>>` with the type `T` of the field of the model"
)]
pub trait FacetCounts {
    /// The shape of a value.
    const VALUE: Shape;
    /// The fields of an element.
    const FIELDS: &'static [FieldDefinition];
    /// The shape of an element.
    const ITEM: Shape;
    /// The shape of the list.
    const SHAPE: Shape;
}

impl<T: Field> FacetCounts for Vec<FacetCount<T>> {
    const VALUE: Shape = T::SHAPE;
    const FIELDS: &'static [FieldDefinition] =
        &[FieldDefinition::new("value", "value", T::SHAPE), FieldDefinition::new("count", "count", u64::SHAPE)];
    const ITEM: Shape = Shape::document("FacetCount", <Self as FacetCounts>::FIELDS, true);
    const SHAPE: Shape = Shape::list(&Self::ITEM);
}

/// A list of documents of `M`, as a page of facets has the documents.
#[diagnostic::on_unimplemented(
    message = "a page of facets of `{M}` reads a projection of `{M}`, and `{Self}` is no list of such a projection",
    label = "this is no `Vec` of a projection of `{M}`",
    note = "help: name one model in `#[facets(of = ..)]` and in `#[projection(of = ..)]`"
)]
pub trait FacetRows<M>: TopRows {}

#[diagnostic::do_not_recommend]
impl<P: Projection> FacetRows<P::Of> for Vec<P> {}

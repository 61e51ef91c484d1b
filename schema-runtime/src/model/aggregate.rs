//! A typed group of documents of a model.

use serde::de::DeserializeOwned;

use super::{Model, Projection};
use crate::{
    definition::{AggregateDefinition, Groups, ModelDefinition, Shape},
    field::Record,
};

/// The documents of an aggregation: the documents of a model, or the groups of another aggregation.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no model and no aggregation",
    label = "this has no `#[derive(Model)]` and no `#[derive(Aggregate)]`",
    note = "help: write `#[aggregate(of = ..)]` with a struct that has one of these derives"
)]
pub trait AggregateSource: 'static {
    /// The model of the stored documents.
    type Of: Model;
    /// The fields of the documents.
    const DOCUMENTS: &'static ModelDefinition;
    /// The aggregation whose groups are the documents; `None` for a model.
    const GROUPS: Option<&'static Groups> = None;
}

#[diagnostic::do_not_recommend]
impl<M: Model> AggregateSource for M {
    type Of = M;
    const DOCUMENTS: &'static ModelDefinition = M::DEFINITION;
}

/// A struct of the values of each group of documents of `Of`. The derive implements the trait; see
/// [the page `aggregation`](crate::guide).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the result of an aggregation",
    label = "this has no `#[derive(Aggregate)]`",
    note = "help: write `#[derive(Aggregate, Deserialize)] #[aggregate(of = .., by(..))]` on a struct with the keys and the values of each group"
)]
pub trait Aggregate: AggregateSource + Record + DeserializeOwned + Send + Sync {
    /// The model, or the other aggregation.
    type Source: AggregateSource;
    /// The tokens of the fields, for `having` and `sort`.
    type Fields: 'static;
    /// The tokens of the fields, for `having` and `sort`: `CustomerMonth::F.revenue`.
    const F: Self::Fields;
    /// The keys and the values.
    const AGGREGATE: AggregateDefinition;
    /// The keys and the values, with the documents of the groups.
    const ALL: Groups = Groups {
        result: Self::STRUCT,
        documents: documents::<Self>,
        of: <Self::Source as AggregateSource>::GROUPS,
        fields: Self::FIELDS,
        definition: Self::AGGREGATE,
    };
}

fn documents<A: Aggregate>() -> &'static ModelDefinition {
    <A::Source as AggregateSource>::DOCUMENTS
}

/// A struct of groups to which a call may add the periods without documents. The derive implements the trait for
/// `#[aggregate(.., fill)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `fill`",
    label = "this aggregation does not add the periods without documents",
    note = "help: write `#[aggregate(.., by(month = month(placed)), fill)]`, and `Option` for averages, least and greatest values"
)]
pub trait Filled: Aggregate {}

/// A struct of groups that a call may store in the collection of a model. The derive implements the trait for
/// `#[aggregate(.., into = MonthlyReport)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no model that stores the groups",
    label = "this aggregation has no `into = ..`",
    note = "help: write `#[aggregate(.., into = MonthlyReport)]` with a model that has the fields of the groups"
)]
pub trait Merged: Aggregate {
    /// The model that stores the groups.
    type Into: Model;
}

/// A view of groups. The derive implements the trait, and the definition and each check read the aggregation from the
/// trait. So rustc reports a struct without `#[derive(Aggregate)]` once.
pub trait ViewOfGroups: Model {
    /// The result of the aggregation.
    type Groups: ShownGroups;
}

/// The groups that a view shows. The trait has no supertraits, of which rustc would report each.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the result of an aggregation",
    label = "this has no `#[derive(Aggregate)]`",
    note = "help: write `#[derive(Aggregate, Deserialize)] #[aggregate(of = .., by(..))]` on a struct with the keys and the values of each group"
)]
pub trait ShownGroups {
    /// The result of the aggregation.
    type Result: Aggregate;
}

#[diagnostic::do_not_recommend]
impl<A: Aggregate> ShownGroups for A {
    type Result = A;
}

/// The result of the aggregation of a view.
pub(crate) type GroupsOf<V> = <<V as ViewOfGroups>::Groups as ShownGroups>::Result;

/// The relations of the rows of parents, by number. The derive implements the trait for a type of its own, and the
/// definition and each check read the model of the children from the trait. So rustc reports a type without
/// `#[derive(Model)]` once, and a public row may have values of a private model.
pub trait RelationOfRows<const NUMBER: usize> {
    /// The rows.
    type Rows: Aggregate;
    /// The model of the children.
    type Child: Model;
}

/// A document of a group, as `top` reads the document.
#[diagnostic::on_unimplemented(
    message = "a list of documents is read as a projection of the model, or as the result of the other aggregation, and \
               not as `{Self}`",
    label = "this is no projection",
    note = "help: write `Vec<OrderCard>` of a struct with `#[derive(Projection, Deserialize)]`"
)]
pub trait TopRow: Record {}

#[diagnostic::do_not_recommend]
impl<P: Projection> TopRow for P {}

/// A list of documents of a group.
#[diagnostic::on_unimplemented(
    message = "a list of documents is a `Vec` of a projection, and `{Self}` is no such list",
    label = "this is no `Vec` of a projection",
    note = "help: write `Vec<OrderCard>` of a struct with `#[derive(Projection, Deserialize)]`"
)]
pub trait TopRows {
    /// The document.
    type Item: TopRow;
    /// The shape of one document.
    const ITEM: Shape = Shape::document(<Self::Item as Record>::STRUCT, <Self::Item as Record>::FIELDS, true);
    /// The shape of the list.
    const SHAPE: Shape = Shape::list(&Self::ITEM);
}

impl<R: TopRow> TopRows for Vec<R> {
    type Item = R;
}

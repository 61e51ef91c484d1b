//! The aggregations that a model declares: `#[query(sales(placed), aggregate = CustomerMonth)]`, and
//! `view(of = Order, aggregate = CustomerMonth)`.

use mongodb::bson::Document;

use super::{Aggregation, asked::Asked, pipeline::stages};
use crate::{
    definition::{Groups, QueryDefinition, ViewDefinition},
    executor::Configurable,
    field::Filter,
    indexes::filter_of_query,
    model::{Aggregate, AggregateSource, GroupsOf, Model, ViewOfGroups},
};

/// Returns query number `at` of `M`, an aggregation, with the conditions on the fields of the query.
pub fn declared_groups<M: Model, A: Aggregate<Of = M>, const N: usize>(
    at: usize,
    conditions: [Filter<M>; N],
) -> Aggregation<A> {
    let query = &M::QUERIES[at];
    let groups = Aggregation::new().filter(Filter::all_of(conditions));
    let groups = match filter_of_query(M::DEFINITION, query) {
        Some(of_index) => groups.filter(Filter::raw(of_index)),
        None => groups,
    };
    let groups = match query.collation {
        Some(collation) => groups.collation(collation),
        None => groups,
    };
    match query.hint {
        Some(index) => groups.hint(index),
        None => groups,
    }
}

/// A function that makes a declared aggregation without conditions.
type Declared<A> = fn(usize, [Filter<<A as AggregateSource>::Of>; 0]) -> Aggregation<A>;

impl QueryDefinition {
    /// The query, read into groups of `A` by the method. The method has the bounds of `A`, so that rustc reports a
    /// mistake of the method and of the definition once.
    pub const fn aggregate<A: Aggregate>(self, _: Declared<A>) -> Self {
        QueryDefinition { groups: Some(A::ALL), ..self }
    }
}

/// Returns the stages of a declared aggregation of the documents that the filter finds.
pub(crate) fn stages_of(query: &QueryDefinition, groups: &Groups, filter: Document) -> Vec<Document> {
    let is_chosen = query.collation.is_some() || query.hint.is_some();
    stages(groups, Asked { filter, is_chosen, ..Asked::default() })
}

impl ViewDefinition {
    /// The view `V`, of the groups of the aggregation.
    pub const fn aggregate<V: ViewOfGroups>(self) -> Self {
        ViewDefinition { groups: Some(groups_of::<V>), ..self }
    }
}

fn groups_of<V: ViewOfGroups>() -> &'static Groups {
    const { &<GroupsOf<V> as Aggregate>::ALL }
}

/// Returns the stages that make the groups of a view of the documents that the filter finds. A view compares texts by
/// bytes: of a source with a collation, no index gives the order of texts.
pub(crate) fn stages_of_view(groups: &Groups, filter: Document, has_collation: bool) -> Vec<Document> {
    stages(groups, Asked { filter, is_chosen: has_collation, ..Asked::default() })
}

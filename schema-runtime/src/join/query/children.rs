//! The queries for the children of a parent, on either side that stores the relation.

use std::sync::Arc;

use mongodb::bson::{Bson, Document, doc};

use crate::{
    definition::{CollationDefinition, Direction, ModelDefinition, RelationDefinition, Texts},
    executor::OperationOptions,
    field,
    join::{Fields, relation_of},
    page::Order,
    read::Query,
};

/// The number of children in a reply of a stream. 1,000,000 small children take 500 replies, and 2,000 children of 1 KB
/// take 2 MB.
const STREAMED: u32 = 2_000;

/// The children of a parent, as queries.
#[derive(Clone, Debug)]
pub(crate) struct ChildrenQuery {
    pub(crate) order: Order,
    collection: &'static str,
    relation: &'static RelationDefinition,
    /// The stored path of the references.
    path: String,
    parent: Bson,
    fields: Fields,
    options: Option<Arc<OperationOptions>>,
    texts: Texts,
    /// The collation of the children's collection, where the comparison is inherited.
    inherited: Option<CollationDefinition>,
}

impl ChildrenQuery {
    /// Makes the queries for the children whose Rust field `field` refers to `parent`.
    pub(crate) fn new(child: &'static ModelDefinition, field: &'static str, parent: Bson, fields: Fields) -> Self {
        let relation = relation_of(child, field);
        let texts = child.texts_of(relation);
        ChildrenQuery {
            order: order_of(child, relation),
            collection: child.collection,
            relation,
            path: relation.path(child),
            parent,
            fields,
            options: None,
            texts,
            inherited: child.options.collation.filter(|_| texts == Texts::Inherited),
        }
    }

    /// Returns the queries with the options of the read.
    pub(crate) fn with(self, options: Option<Arc<OperationOptions>>) -> Self {
        ChildrenQuery { options, ..self }
    }

    /// Returns the query for all children, in the order of the relation if an index gives the order.
    pub(crate) fn all(&self) -> Query {
        let mut query = Query { texts: self.texts, ..Query::new(self.collection, self.filter()) };
        query.sort = if self.relation.is_ordered() { self.order.sort() } else { Document::new() };
        query.projection = (self.fields)();
        query.batch_size = STREAMED;
        query.options = self.options.clone();
        query
    }

    /// Returns the query for all children without a sort, and the order if an index gives the order of the relation.
    pub(crate) fn unsorted(&self) -> (Query, Vec<(String, bool)>) {
        let keys = if self.relation.is_ordered() { self.order.keys.clone() } else { Vec::new() };
        (Query { sort: Document::new(), batch_size: 0, ..self.all() }, keys)
    }

    /// Returns the condition for the children.
    pub(crate) fn filter(&self) -> Document {
        field::equal(self.path.clone(), self.parent.clone())
    }

    /// Returns the query for the first `limit` children, in one reply.
    pub(crate) fn first(&self, limit: u32) -> Query {
        let mut query = self.paged();
        query.sort = self.order.sort();
        query.limit = limit.into();
        query.batch_size = limit.saturating_add(1).min(i32::MAX as u32);
        query
    }

    /// Returns the query for the children without a sort, and the order; a page adds the sort and a limit.
    pub(crate) fn into_paged(self) -> (Query, Order) {
        (self.paged(), self.order)
    }

    /// Returns the query for the children, in no order.
    pub(crate) fn paged(&self) -> Query {
        let mut query = Query { texts: self.texts, ..Query::new(self.collection, self.filter()) };
        query.projection = (self.fields)();
        query.options = self.options.clone();
        query.inherited = self.inherited;
        query
    }
}

/// Returns the query for all children of many parents. The children of one parent are in the order of the relation if
/// an index gives the order.
pub(crate) fn children_of_many(
    child: &ModelDefinition,
    relation: &RelationDefinition,
    parents: Vec<Bson>,
    fields: Fields,
) -> Query {
    let path = relation.path(child);
    let mut query = Query::new(child.collection, doc! { &path: { "$in": parents } });
    query.texts = child.texts_of(relation);
    if relation.is_ordered() {
        // For an array, the server merges the index entries of each parent; a sort by the path would sort by the least
        // parent of the array.
        if !relation.is_array() {
            query.sort.insert(&path, 1);
        }
        query.sort.extend(order_of(child, relation).sort());
    }
    query.projection = fields();
    query.also_project([path.as_str()]);
    query.batch_size = i32::MAX as u32;
    query
}

/// Returns the declared order of the children of one parent; by default, the newest `_id` first.
pub(crate) fn order_of(child: &ModelDefinition, relation: &RelationDefinition) -> Order {
    let declared = relation.order.iter().filter_map(|key| {
        let field = child.field(key.field)?;
        Some((field.name.to_owned(), key.direction == Direction::Descending))
    });
    Order::new(declared, true)
}

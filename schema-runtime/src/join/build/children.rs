//! The queries for the children of one parent, whichever side stores the relation.

use mongodb::bson::{Bson, Document, doc};

use super::{Order, after, equals, with_fields};
use crate::{
    codec,
    definition::{Cardinality, RelationDefinition, Storage},
    error::Result,
    join::{Cursor, Fields, Name, cursor::fingerprint, relation_of},
    model::Model,
    read::Query,
};

/// How many children a reply of a stream holds. 1,000,000 small ones take 500 replies, and 2,000 of 1 KB take 2 MB.
const STREAMED: u32 = 2_000;

/// The children of one parent, as queries.
#[derive(Clone, Debug)]
pub(crate) struct ChildrenQuery {
    pub(crate) name: Name,
    pub(crate) order: Order,
    collection: &'static str,
    relation: &'static RelationDefinition,
    parent: Bson,
    fields: Fields,
}

impl ChildrenQuery {
    /// The children whose Rust field `field` refers to `parent`.
    pub(crate) fn new<C: Model>(field: &'static str, parent: Bson, fields: Fields) -> Self {
        let relation = relation_of::<C>(field);
        ChildrenQuery {
            name: Name::new(C::DEFINITION, field),
            order: Order::of::<C>(relation),
            collection: C::DEFINITION.collection,
            relation,
            parent,
            fields,
        }
    }

    /// All children, in the relation's order where an index gives it.
    pub(crate) fn all(&self) -> Query {
        let mut query = Query::new(self.collection, self.filter());
        query.sort = if is_ordered(self.relation) { self.order.sort() } else { Document::new() };
        query.projection = (self.fields)();
        query.batch_size = STREAMED;
        query
    }

    /// The condition that a document is a child.
    pub(crate) fn filter(&self) -> Document {
        equals(self.relation.name, self.parent.clone())
    }

    /// The first `limit` children, in one reply.
    pub(crate) fn latest(&self, limit: u32) -> Query {
        let mut query = Query::new(self.collection, self.filter());
        query.sort = self.order.sort();
        query.projection = (self.fields)();
        query.limit = limit.into();
        query.batch_size = limit.saturating_add(1).min(i32::MAX as u32);
        query
    }

    /// The `size` children after a place, and one more, which says whether there is a next page.
    pub(crate) fn page(&self, size: u32, after_cursor: Option<&Cursor>) -> Result<Query> {
        let mut query = self.latest(size.saturating_add(1));
        query.projection = with_fields(query.projection, self.order.names());
        if let Some(cursor) = after_cursor {
            let values = cursor.values(self.fingerprint()?, &self.order)?;
            query.filter.extend(after(&self.order, values));
        }
        Ok(query)
    }

    /// What a cursor of this query is known by.
    pub(crate) fn fingerprint(&self) -> Result<u64> {
        let parent = codec::encode(&doc! { "": &self.parent }).map_err(crate::Error::encode)?;
        let order = codec::encode(&self.order.sort()).map_err(crate::Error::encode)?;
        let names = [self.collection.as_bytes(), self.relation.name.as_bytes()];
        Ok(fingerprint(names.into_iter().chain([order.as_bytes(), parent.as_bytes()])))
    }
}

/// The query for all children of many parents, those of one parent in the relation's order where an index gives it.
pub(crate) fn children_of_many<C: Model>(relation: &RelationDefinition, parents: Vec<Bson>, fields: Fields) -> Query {
    let mut query = Query::new(C::DEFINITION.collection, doc! { relation.name: { "$in": parents } });
    if is_ordered(relation) {
        query.sort.insert(relation.name, 1);
        query.sort.extend(Order::of::<C>(relation).sort());
    }
    query.projection = with_fields(fields(), [relation.name]);
    query.batch_size = i32::MAX as u32;
    query
}

/// Whether the index of the relation gives the order. Otherwise a parent has one child, or all of them would be sorted in
/// the server's memory.
fn is_ordered(relation: &RelationDefinition) -> bool {
    relation.storage == Storage::ParentRef && relation.cardinality != Cardinality::OneToOne
}

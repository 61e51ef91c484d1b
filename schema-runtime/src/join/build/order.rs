//! The order of the children of one parent.

use mongodb::bson::Document;

use crate::{
    definition::{Cardinality, Direction, RelationDefinition, Storage},
    model::Model,
};

/// An order in which no two children are equal: the declared keys, then `_id` in the direction of the last of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// Stored names; `true` for descending.
    pub(crate) keys: Vec<(&'static str, bool)>,
}

impl Order {
    /// The declared order, by default the newest `_id` first.
    pub(crate) fn of<C: Model>(relation: &RelationDefinition) -> Self {
        let declared = relation.order.iter().filter_map(|key| {
            let field = C::DEFINITION.field(key.field)?;
            Some((field.name, key.direction == Direction::Descending))
        });
        let mut keys: Vec<_> = declared.collect();
        if keys.iter().all(|(name, _)| *name != "_id") {
            let descending = keys.last().is_none_or(|(_, descending)| *descending);
            keys.push(("_id", descending));
        }
        Order { keys }
    }

    /// The sort of a query for all children of a parent: empty where no index gives the order, so that nothing is sorted in
    /// memory.
    pub(crate) fn indexed_sort(&self, relation: &RelationDefinition) -> Document {
        let indexed = relation.storage == Storage::ParentRef && relation.cardinality != Cardinality::OneToOne;
        if indexed { self.sort() } else { Document::new() }
    }

    /// The `sort` of a query.
    pub(crate) fn sort(&self) -> Document {
        self.keys.iter().map(|(name, descending)| (*name, if *descending { -1 } else { 1 })).fold(
            Document::new(),
            |mut sort, (name, direction)| {
                sort.insert(name, direction);
                sort
            },
        )
    }

    /// The stored names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|(name, _)| *name)
    }
}

//! The order of the children of one parent.

use mongodb::bson::Document;

use crate::{
    definition::{Direction, RelationDefinition},
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

    /// The `sort` of a query.
    pub(crate) fn sort(&self) -> Document {
        let mut sort = Document::new();
        for (name, descending) in &self.keys {
            sort.insert(*name, if *descending { -1 } else { 1 });
        }
        sort
    }

    /// The stored names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|(name, _)| *name)
    }
}

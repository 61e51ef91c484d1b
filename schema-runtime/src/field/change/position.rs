//! Changes by the position of an element, and moves of a value to another field.

use mongodb::bson::Bson;

use super::{Change, ChangeList, twice};
use crate::{
    changes::Operator,
    definition::{Kind, Shape},
    error::{Error, Result},
    field::PathNode,
};

impl ChangeList {
    /// Adds elements to an array at a position.
    pub(crate) fn add_at(&mut self, node: &PathNode<'_>, elements: Result<Vec<Bson>>, position: u32) {
        let Ok(changes) = &self.changes else { return };
        let path = node.join();
        let is_push = |change: &Change| change.operator == Operator::Push && change.path == path;
        if changes.iter().any(is_push) {
            return self.changes = Err(twice(Operator::Push.name(), &path));
        }
        self.add(Operator::Push, node, elements.map(Bson::Array));
        let Ok(changes) = &mut self.changes else { return };
        if let Some(change) = changes.iter_mut().find(|change| is_push(change)) {
            change.position = Some(position);
        }
    }

    /// Moves the value of a field to another field.
    pub(crate) fn rename(&mut self, from: &PathNode<'_>, to: &PathNode<'_>) {
        for node in [from, to] {
            self.require(node);
            self.require_structs(node);
        }
        let (path, target) = (from.join(), to.join());
        let message = match (from.shape(), to.shape()) {
            _ if !self.prefix.is_empty() => {
                format!("the server renames no field of an element of an array: `set` `{target}` and `unset` `{path}`")
            }
            (Some(from), Some(to)) if !fits(from, to) => {
                format!("`{path}` has a larger bound or fewer rules than `{target}`, and no check sees the moved value")
            }
            _ => String::new(),
        };
        let Ok(changes) = &mut self.changes else { return };
        if !message.is_empty() {
            return self.changes = Err(Error::Update { message });
        }
        let (operator, value) = (Operator::Rename, Bson::from(target));
        changes.push(Change { operator, path, value, shape: None, cap: None, position: None, leaves_none_out: false });
    }
}

/// Returns whether every value within the bounds and the rules of a shape is within the bounds and the rules of another
/// shape of the same type.
fn fits(from: &Shape, to: &Shape) -> bool {
    let is_within = |from: Option<u64>, to: Option<u64>| match (from, to) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(from), Some(to)) => from <= to,
    };
    if !to.rules.iter().all(|rule| from.rules.iter().any(|other| other == rule)) {
        return false;
    }
    match (from.kind, to.kind) {
        (Kind::String { max_len: from }, Kind::String { max_len: to }) => is_within(from, to),
        (Kind::Array { items, max, .. }, Kind::Array { items: to_items, max: to_max, .. }) => {
            is_within(max, to_max) && fits(items, to_items)
        }
        (Kind::Map { values, max }, Kind::Map { values: to_values, max: to_max }) => {
            is_within(max, to_max) && fits(values, to_values)
        }
        (Kind::Opaque { max_bytes: from, .. }, Kind::Opaque { max_bytes: to, .. }) => from <= to,
        _ => true,
    }
}

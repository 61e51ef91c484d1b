//! The values that a parent keeps of its children: a capped subset, a count, sums and the like.

use super::{ModelDefinition, OrderKey, Target};

/// A field of a parent that the writes of its children keep: `#[subset(..)]`, `#[computed(..)]`.
#[derive(Clone, Copy, Debug)]
pub struct RollupDefinition {
    /// The field of the parent, in Rust.
    pub field: &'static str,
    /// The field of the parent, as stored.
    pub name: &'static str,
    /// The model of the children.
    pub child: Target,
    /// The field of the children that refers to the parent, in Rust.
    pub reference: &'static str,
    /// The kind of the kept value.
    pub kind: RollupKind,
}

/// The kind of value that a field keeps of the children.
#[derive(Clone, Copy, Debug)]
pub enum RollupKind {
    /// The first children in an order.
    Subset {
        /// The number of children.
        keep: u64,
        /// The order of the children; empty for the order of the relation.
        order: &'static [OrderKey],
    },
    /// The number of children.
    Count,
    /// The sum of this field of the children, in Rust.
    Sum(&'static str),
    /// The average of this field; null without children.
    Avg(&'static str),
    /// The least value of this field; null without children.
    Min(&'static str),
    /// The greatest value of this field; null without children.
    Max(&'static str),
}

impl RollupDefinition {
    /// Returns the definition of the children.
    pub fn child(&self) -> &'static ModelDefinition {
        (self.child.definition)()
    }
}

impl RollupKind {
    /// Returns the field of the children that the value is computed from, in Rust.
    pub const fn of(&self) -> Option<&'static str> {
        match self {
            RollupKind::Sum(field) | RollupKind::Avg(field) | RollupKind::Min(field) | RollupKind::Max(field) => {
                Some(field)
            }
            RollupKind::Subset { .. } | RollupKind::Count => None,
        }
    }

    /// Returns the word in the attribute.
    pub const fn word(&self) -> &'static str {
        match self {
            RollupKind::Subset { .. } => "subset",
            RollupKind::Count => "count",
            RollupKind::Sum(_) => "sum",
            RollupKind::Avg(_) => "avg",
            RollupKind::Min(_) => "min",
            RollupKind::Max(_) => "max",
        }
    }
}

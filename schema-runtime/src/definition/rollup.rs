//! What a parent keeps of its children: a capped subset, a count, sums and the like.

use super::{ModelDefinition, OrderKey, Target};

/// A field of a parent that the writes of its children keep: `#[subset(..)]`, `#[computed(..)]`.
#[derive(Clone, Copy, Debug)]
pub struct RollupDefinition {
    /// The field of the parent, in Rust.
    pub field: &'static str,
    /// The same, as stored.
    pub name: &'static str,
    /// The model of the children.
    pub child: Target,
    /// Their field that refers to the parent, in Rust.
    pub reference: &'static str,
    /// What of them is kept.
    pub kind: RollupKind,
}

/// What of the children a field keeps.
#[derive(Clone, Copy, Debug)]
pub enum RollupKind {
    /// The first ones in an order.
    Subset {
        /// How many.
        keep: u64,
        /// Their order; empty for that of the relation.
        order: &'static [OrderKey],
    },
    /// How many there are.
    Count,
    /// The sum of this field of theirs, in Rust.
    Sum(&'static str),
    /// The average of this field; null without children.
    Avg(&'static str),
    /// The least value of this field; null without children.
    Min(&'static str),
    /// The greatest value of this field; null without children.
    Max(&'static str),
}

impl RollupDefinition {
    /// The definition of the children.
    pub fn child(&self) -> &'static ModelDefinition {
        (self.child.definition)()
    }
}

impl RollupKind {
    /// The field of the children that is computed from, in Rust.
    pub const fn of(&self) -> Option<&'static str> {
        match self {
            RollupKind::Sum(field) | RollupKind::Avg(field) | RollupKind::Min(field) | RollupKind::Max(field) => {
                Some(field)
            }
            RollupKind::Subset { .. } | RollupKind::Count => None,
        }
    }

    /// The word in the attribute.
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

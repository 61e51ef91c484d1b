//! Counts derived data that is on the way, or that a stopped client has left behind.

use std::fmt;

use super::stale_copy::{self, PendingCopies};
use crate::{
    definition::ModelDefinition,
    derived::{
        delete_rules::{self, PendingDeletes},
        rollup::{self, PendingRollup},
        tree::{self, PendingMoves},
    },
    error::Result,
    executor::Context,
};

/// The pending work of a model. `recover` completes the work when no client does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Pending {
    /// Copies that have not followed the source.
    Copies(PendingCopies),
    /// Writes of children that the parents do not count yet.
    Rollup(PendingRollup),
    /// Deletes and inserts under delete rules.
    Deletes(PendingDeletes),
    /// Large moves in a tree.
    Moves(PendingMoves),
}

impl Pending {
    pub(super) fn may_be_wrong(&self) -> bool {
        match self {
            Pending::Copies(copies) => copies.sources > 0,
            Pending::Deletes(deletes) => deletes.deletes > 0,
            Pending::Rollup(_) | Pending::Moves(_) => true,
        }
    }
}

impl fmt::Display for Pending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pending::Copies(pending) => pending.fmt(formatter),
            Pending::Rollup(pending) => pending.fmt(formatter),
            Pending::Deletes(pending) => pending.fmt(formatter),
            Pending::Moves(pending) => pending.fmt(formatter),
        }
    }
}

pub(super) async fn of(model: &'static ModelDefinition, context: &Context) -> Result<Vec<Pending>> {
    let mut pending: Vec<Pending> = Vec::new();
    pending.extend(stale_copy::pending(model, context).await?.into_iter().map(Pending::Copies));
    pending.extend(rollup::pending(model, context).await?.into_iter().map(Pending::Rollup));
    pending.extend(delete_rules::pending(model, context).await?.map(Pending::Deletes));
    pending.extend(tree::pending(model, context).await?.map(Pending::Moves));
    Ok(pending)
}

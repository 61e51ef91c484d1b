//! Counts unfinished large moves of a tree. Reads the server.

use std::fmt;

use mongodb::bson::doc;

use super::layout::{Layout, MOVING};
use crate::{definition::ModelDefinition, error::Result, executor::Context, report::counted};

/// The large moves in the tree of one model that are under way, or that a stopped client has left behind.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PendingMoves {
    /// The model.
    pub model: &'static str,
    /// The collection of the model.
    pub collection: &'static str,
    /// The number of moves.
    pub moves: u64,
}

impl fmt::Display for PendingMoves {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = counted(self.moves, "move is", "moves are");
        write!(formatter, "{}: {moves} pending: `recover` completes them", self.collection)
    }
}

/// Counts the pending moves of the model by the index.
pub(crate) async fn pending(model: &'static ModelDefinition, context: &Context) -> Result<Option<PendingMoves>> {
    if Layout::of(model).is_none_or(|layout| !layout.keeps_chain()) {
        return Ok(None);
    }
    let moves = context.count(model.collection, doc! { MOVING: { "$exists": true } }, 0, 0).await?;
    let (model, collection) = (model.model, model.collection);
    Ok((moves > 0).then_some(PendingMoves { model, collection, moves }))
}

//! Completes large moves that stopped clients have left behind. May run beside all writers and beside a second recovery. Reaches the
//! server.

use std::fmt;

use super::{complete::complete_all, layout::Layout};
use crate::{definition::ModelDefinition, derived::effect::Others, error::Result, executor::Context, report::counted};

/// The moves that [`Schema::recover`](crate::schema::Schema::recover) has completed in the tree of one model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecoveredMoves {
    /// The model.
    pub model: &'static str,
    /// The number of moves.
    pub moves: u64,
}

impl fmt::Display for RecoveredMoves {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {} completed", self.model, counted(self.moves, "move", "moves"))
    }
}

pub(crate) async fn recover(
    models: &[&'static ModelDefinition],
    context: &Context,
    others: Others,
) -> Result<Vec<RecoveredMoves>> {
    let mut recovered = Vec::new();
    for layout in models.iter().filter_map(|model| Layout::of(model)).filter(Layout::keeps_chain) {
        let moves = complete_all(context, &layout, others).await?;
        if moves > 0 {
            recovered.push(RecoveredMoves { model: layout.definition.model, moves });
        }
    }
    Ok(recovered)
}

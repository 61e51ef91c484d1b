//! Large moves that stopped clients have left behind are completed. May run beside all writers and beside itself. Reaches the server.

use std::fmt;

use super::{complete::complete_all, layout::Layout};
use crate::{definition::ModelDefinition, derived::effect::Others, error::Result, executor::Context, report::counted};

/// What [`Schema::recover`](crate::schema::Schema::recover) has completed of one model's tree.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecoveredMoves {
    /// The model.
    pub model: &'static str,
    /// How many moves.
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

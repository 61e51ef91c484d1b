//! Recovers the derived data that stopped clients have left behind.

use std::fmt;

use crate::{
    definition::ModelDefinition,
    derived::{
        copies::{self, RecoveredPath},
        delete_rules::{self, RecoveredDeletes},
        effect::Others,
        effects,
        rollup::{self, RecoveredRollup},
        throttle::Throttle,
        tree::{self, RecoveredMoves},
    },
    error::Result,
    executor::Context,
    report::lines,
};

/// The result of [`Schema::recover`](crate::schema::Schema::recover).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Recovered {
    /// The places that hold copies and had pending markers, in the order of the schema.
    pub paths: Vec<RecoveredPath>,
    /// The rolled-up relations with left differences for the parents.
    pub rollups: Vec<RecoveredRollup>,
    /// The models with unfinished deletes, or unfinished inserts under a delete rule.
    pub deletes: Vec<RecoveredDeletes>,
    /// The models with unfinished large moves in the tree.
    pub moves: Vec<RecoveredMoves>,
}

impl fmt::Display for Recovered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Recovered::default() {
            return formatter.write_str("nothing to recover");
        }
        let paths = self.paths.iter().map(|path| path as &dyn fmt::Display);
        let rollups = self.rollups.iter().map(|rollup| rollup as &dyn fmt::Display);
        let deletes = self.deletes.iter().map(|deletes| deletes as &dyn fmt::Display);
        let moves = self.moves.iter().map(|moves| moves as &dyn fmt::Display);
        lines(formatter, paths.chain(rollups).chain(deletes).chain(moves))
    }
}

pub(crate) async fn recover(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
    others: Others,
) -> Result<Recovered> {
    // A move that cannot complete does not stop the recovery of anything else. Ancestors that a cascade has deleted block the move until
    // the recovery of the deletes is done.
    let mut moves = tree::recover(models, context, others).await;
    // Deletes are recovered first: the deleted documents need no further recovery.
    let others = Others { left: effects::before(delete_rules::NAME), ..others };
    let deletes = delete_rules::recover(models, context, others).await?;
    if moves.is_err() {
        moves = tree::recover(models, context, others).await;
    }
    let paths = copies::recover(models, context, throttle).await?;
    let rollups = rollup::recover(models, context).await?;
    Ok(Recovered { paths, rollups, deletes, moves: moves? })
}

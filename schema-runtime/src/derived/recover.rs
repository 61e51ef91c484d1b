//! What stopped clients have left behind, of all that is derived.

use std::fmt;

use super::{
    copies::{self, RecoveredPath},
    delete_rules::{self, RecoveredDeletes},
    effect::Others,
    effects::BEHIND_DELETE_RULES,
    rollup::{self, RecoveredRollup},
    throttle::Throttle,
    tree::{self, RecoveredMoves},
};
use crate::{definition::ModelDefinition, error::Result, executor::Context, report::lines};

/// What [`Schema::recover`](crate::schema::Schema::recover) has done.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Recovered {
    /// One for each place that holds copies and had pending markers, in the order of the schema.
    pub paths: Vec<RecoveredPath>,
    /// One for each relation whose children are rolled up, and for whose parents differences were left.
    pub rollups: Vec<RecoveredRollup>,
    /// One for each model of which deletes or inserts under a delete rule were left behind.
    pub deletes: Vec<RecoveredDeletes>,
    /// One for each model of whose tree large moves were left behind.
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
    // A move that cannot be completed keeps nothing else from being recovered. Ancestors that a cascade has deleted are in its way until that is done.
    let mut moves = tree::recover(models, context, others).await;
    // First: what they delete has nothing to recover.
    let others = Others { left: BEHIND_DELETE_RULES, ..others };
    let deletes = delete_rules::recover(models, context, others).await?;
    if moves.is_err() {
        moves = tree::recover(models, context, others).await;
    }
    let paths = copies::recover(models, context, throttle).await?;
    let rollups = rollup::recover(models, context).await?;
    Ok(Recovered { paths, rollups, deletes, moves: moves? })
}

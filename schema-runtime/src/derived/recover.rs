//! What stopped clients have left behind, of all that is derived.

use std::fmt;

use super::{
    copies::{self, RecoveredPath},
    rollup::{self, RecoveredRollup},
    throttle::Throttle,
};
use crate::{definition::ModelDefinition, error::Result, executor::Context, report::lines};

/// What [`Schema::recover`](crate::schema::Schema::recover) has done.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Recovered {
    /// One for each place that holds copies and had pending markers, in the order of the schema.
    pub paths: Vec<RecoveredPath>,
    /// One for each relation whose children are rolled up, and that had pending markers.
    pub rollups: Vec<RecoveredRollup>,
}

impl fmt::Display for Recovered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.paths.is_empty() && self.rollups.is_empty() {
            return formatter.write_str("nothing to recover");
        }
        let paths = self.paths.iter().map(|path| path as &dyn fmt::Display);
        lines(formatter, paths.chain(self.rollups.iter().map(|rollup| rollup as &dyn fmt::Display)))
    }
}

pub(crate) async fn recover(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
) -> Result<Recovered> {
    let paths = copies::recover(models, context, throttle).await?;
    let rollups = rollup::recover(models, context).await?;
    Ok(Recovered { paths, rollups })
}

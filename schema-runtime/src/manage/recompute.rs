//! Recomputes the rollups of all parents of a schema.

use std::fmt;

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::Database;

use super::schema::Schema;
use crate::{
    definition::ModelDefinition,
    derived::{
        maintenance::{Maintenance, MaintenanceReport, Task, find},
        rollup::{Recomputed, Rollups, recompute_all},
    },
    error::Result,
    executor::{Context, Executor},
    report::{but_for_refused, counted, lines},
};

/// The report of [`Schema::recompute`](crate::Schema::recompute). Data, and `Display` for people.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RecomputeReport {
    /// The models with rollups, in the order of the schema.
    pub models: Vec<RecomputedModel>,
}

/// The recompute of the parents of a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecomputedModel {
    /// The model.
    pub model: &'static str,
    /// The numbers of parents.
    pub recomputed: Recomputed,
}

impl Schema {
    /// Recomputes the `#[subset(..)]` and `#[computed(..)]` fields of all parents from the children, for the models
    /// that `is_wanted` returns true for. Reads all children. For values that writes outside of this crate have made
    /// wrong, and for fields that were declared after the children. May run at any time, beside all writers.
    ///
    /// # Errors
    /// Errors of the driver. A parent that the server refuses to write is counted in the report.
    pub fn recompute<'a>(
        &'a self,
        db: &'a Database,
        is_wanted: impl Fn(&ModelDefinition) -> bool,
    ) -> BoxFuture<'a, Result<RecomputeReport>> {
        let parents = self.parents(is_wanted);
        async move { recompute(&parents, &db.plain_context()?.majority()).await }.boxed()
    }

    /// Finds the parents that [`recompute`](Schema::recompute) would change, and changes nothing. Reads all children.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn preview_recompute<'a>(
        &'a self,
        db: &'a Database,
        is_wanted: impl Fn(&ModelDefinition) -> bool,
    ) -> BoxFuture<'a, Result<MaintenanceReport>> {
        let parents = self.parents(is_wanted);
        async move { preview(&parents, &db.plain_context()?).await }.boxed()
    }

    fn parents(&self, is_wanted: impl Fn(&ModelDefinition) -> bool) -> Vec<&'static ModelDefinition> {
        self.some(|model| !model.rollups.is_empty() && is_wanted(model))
    }
}

async fn recompute(parents: &[&'static ModelDefinition], context: &Context) -> Result<RecomputeReport> {
    let mut report = RecomputeReport::default();
    for parent in parents {
        let recomputed = recompute_all(parent, context).await?;
        report.models.push(RecomputedModel { model: parent.model, recomputed });
    }
    Ok(report)
}

async fn preview(parents: &[&'static ModelDefinition], context: &Context) -> Result<MaintenanceReport> {
    let mut report = MaintenanceReport::new("nothing to recompute");
    for mut place in Rollups.places(parents, Task::Verify) {
        report.extend(find(&mut *place, context).await?);
    }
    Ok(report)
}

impl fmt::Display for RecomputeReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.models.is_empty() {
            return formatter.write_str("no model has a subset or a computed value");
        }
        lines(formatter, &self.models)
    }
}

impl fmt::Display for RecomputedModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Recomputed { parents, refused, examples } = &self.recomputed;
        let refused = but_for_refused(*refused, examples);
        write!(formatter, "{}: {} recomputed{refused}", self.model, counted(*parents, "document", "documents"))
    }
}

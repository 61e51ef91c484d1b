//! Repairs all derived data that writes outside of this crate have made wrong, and fills data that was declared after
//! the documents.

use super::kinds::KINDS;
use crate::{
    definition::ModelDefinition,
    derived::{
        effect::Writer,
        maintenance::{MaintenanceReport, Task, find, rewrite},
        throttle::{Throttle, Throttler},
    },
    error::Result,
    executor::Context,
};

/// The text of a report without faults.
const NOTHING: &str = "nothing to repair";

pub(crate) async fn repair(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
    writer: Writer,
) -> Result<MaintenanceReport> {
    rewrite_all(models, context, throttle, Task::Repair(writer), NOTHING).await
}

/// Finds the faults that a repair treats. Writes nothing.
pub(crate) async fn preview(
    models: &[&'static ModelDefinition],
    context: &Context,
    writer: Writer,
) -> Result<MaintenanceReport> {
    let mut report = MaintenanceReport::new(NOTHING);
    for mut place in KINDS.iter().flat_map(|kind| kind.places(models, Task::Repair(writer))) {
        report.extend(find(&mut *place, context).await?);
    }
    Ok(report)
}

pub(crate) async fn backfill(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
) -> Result<MaintenanceReport> {
    rewrite_all(models, context, throttle, Task::Backfill, "nothing to fill").await
}

async fn rewrite_all(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
    task: Task,
    empty: &'static str,
) -> Result<MaintenanceReport> {
    let mut places: Vec<_> = KINDS.iter().flat_map(|kind| kind.places(models, task)).collect();
    let work = places.iter().map(|place| place.walk(context).counted()).collect();
    let mut throttler = Throttler::new(context, work, throttle).await?;
    let mut report = MaintenanceReport::new(empty);
    for place in &mut places {
        report.extend(rewrite(&mut **place, context, &mut throttler).await?);
    }
    Ok(report)
}

//! Recovers the derived data that stopped clients have left behind.

use std::time::Duration;

use super::kinds::KINDS;
use crate::{
    definition::ModelDefinition,
    derived::{
        delete_rules,
        effect::Writer,
        effect_list,
        maintenance::{Maintenance, MaintenanceReport, Recovery},
        throttle::Throttle,
    },
    error::Result,
    executor::Context,
};

/// The text of a report without work.
const NOTHING: &str = "nothing to recover";

/// Returns whether the writes of a schema can leave work behind.
pub(crate) fn is_needed(models: &[&'static ModelDefinition]) -> bool {
    KINDS.iter().any(|kind| kind.leaves_work(models))
}

/// Counts the work that is on the way, or that stopped clients have left behind.
pub(crate) async fn pending(models: &[&'static ModelDefinition], context: &Context) -> Result<MaintenanceReport> {
    let mut report = MaintenanceReport::new(NOTHING);
    for kind in KINDS {
        for model in models {
            report.extend(kind.pending(model, context).await?);
        }
    }
    Ok(report)
}

/// Recovers all work. Marks of copies that are younger than the grace stay: the writers are perhaps at work.
pub(crate) async fn recover(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
    grace: Duration,
    writer: Writer,
) -> Result<MaintenanceReport> {
    let recovery = Recovery {
        models,
        context,
        throttle,
        grace,
        writer: Writer { left: effect_list::before(delete_rules::NAME), ..writer },
    };
    let mut report = MaintenanceReport::new(NOTHING);
    let (first, then): (Vec<&dyn Maintenance>, Vec<_>) = KINDS.iter().partition(|kind| kind.recovers_first());
    // The work of a kind that comes first does not stop the recovery of anything else, and may be blocked until the
    // next kind is recovered.
    let mut blocked = Vec::new();
    for kind in first {
        match kind.recover(recovery).await {
            Ok(entries) => report.extend(entries),
            Err(_) => blocked.push(kind),
        }
    }
    let mut failed = None;
    for kind in then {
        report.extend(kind.recover(recovery).await?);
        for kind in blocked.drain(..) {
            match kind.recover(recovery).await {
                Ok(entries) => report.extend(entries),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
    }
    failed.map_or(Ok(report), Err)
}

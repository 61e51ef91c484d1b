//! Verification, repair and backfill of copies, and the work that clients have left.

mod backfill;
pub(super) mod correct;
pub(super) mod held;
pub(super) mod recover;
mod repair;
pub(super) mod rewrite;
pub(super) mod stale_copy;

use super::write::effect::Copies;
use super::{
    stored::{model_paths::of_schema, model_paths::paths_into},
    write::intent,
};
use crate::{
    definition::ModelDefinition,
    derived::{
        maintenance::{Entries, Maintenance, MaintenanceKind, Place, Recovery, Tally, Task},
        marks::{Marks, count_marked},
    },
    executor::Context,
};

impl Maintenance for Copies {
    fn places(&self, models: &[&'static ModelDefinition], task: Task) -> Vec<Box<dyn Place>> {
        let place = |path| -> Box<dyn Place> {
            match task {
                Task::Verify | Task::Repair(_) => Box::new(stale_copy::StaleCopies::new(path)),
                Task::Backfill => Box::new(backfill::IncompleteCopies::new(path)),
            }
        };
        of_schema(models).into_iter().map(place).collect()
    }

    /// Counts the marks of the paths that the model holds.
    fn pending<'a>(&'a self, model: &'static ModelDefinition, context: &'a Context) -> Entries<'a> {
        Box::pin(async move {
            let mut entries = Vec::new();
            for path in paths_into(model).iter().filter(|path| path.synced) {
                let sources = count_marked(context, path.source.collection, path.source_mark()).await?;
                let holders = count_marked(context, path.holder.collection, path.holder_mark()).await?;
                let mut tally = Tally::new((model.model, path.reference_path()));
                tally.entry(MaintenanceKind::PendingSource).add(sources, 0);
                tally.entry(MaintenanceKind::PendingHolder).add(holders + intent::count(context, path).await?, 0);
                entries.extend(tally.into_entries(0));
            }
            Ok(entries)
        })
    }

    fn recover<'a>(&'a self, recovery: Recovery<'a>) -> Entries<'a> {
        let Recovery { models, context, throttle, grace, .. } = recovery;
        Box::pin(recover::recover_marks(models, context, throttle, Marks::left_for(grace)))
    }

    fn leaves_work(&self, models: &[&'static ModelDefinition]) -> bool {
        of_schema(models).iter().any(|path| path.synced)
    }
}

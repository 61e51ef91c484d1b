//! The maintenance of rollups: wrong parents are found, and the left differences of all parents are folded. A parent
//! that the server refuses to write is counted, and all remaining parents are folded.

use mongodb::bson::{Bson, doc};

use crate::derived::rollup::write::effect::Rollups;
use crate::{
    definition::ModelDefinition,
    derived::{
        maintenance::{Entries, Maintenance, MaintenanceEntry, MaintenanceKind, Place, Recovery, Tally, Task},
        presence::existing,
        refused::{Refused, unless_refused},
        rollup::{
            differences::left::DELTAS,
            stored::path::{RollupPath, paths_of_child, paths_of_parent},
        },
    },
    document::count,
    error::Result,
    executor::Context,
    limits::{FOLDED_PARENTS, ROLLUP_PARENTS},
    read::Aggregate,
};

impl Maintenance for Rollups {
    fn places(&self, models: &[&'static ModelDefinition], task: Task) -> Vec<Box<dyn Place>> {
        match task {
            Task::Repair(_) | Task::Backfill => Vec::new(),
            Task::Verify => {
                let paths = models.iter().flat_map(|model| paths_of_parent(model));
                paths.map(|path| -> Box<dyn Place> { Box::new(path) }).collect()
            }
        }
    }

    /// Counts the left differences for the parents of the model.
    fn pending<'a>(&'a self, model: &'static ModelDefinition, context: &'a Context) -> Entries<'a> {
        Box::pin(async move {
            let mut entries = Vec::new();
            for path in paths_of_parent(model) {
                let mut tally = path.tally_of_left();
                let entry = tally.entry(MaintenanceKind::PendingDifference);
                for left in path.left_by_parent(context).await?.chunks(ROLLUP_PARENTS) {
                    let ids: Vec<Bson> = left.iter().map(|(parent, _)| parent.clone()).collect();
                    // A missing parent has no pending differences.
                    let there = existing(context, path.parent, &ids).await?;
                    for (_, count) in left.iter().filter(|(parent, _)| there.contains(parent)) {
                        entry.add_several(*count, 1, 0);
                    }
                }
                entries.extend(tally.into_entries(0));
            }
            Ok(entries)
        })
    }

    fn leaves_work(&self, models: &[&'static ModelDefinition]) -> bool {
        models.iter().any(|model| !paths_of_child(model).is_empty())
    }

    /// Folds all left differences of the parents of the models' children.
    fn recover<'a>(&'a self, recovery: Recovery<'a>) -> Entries<'a> {
        Box::pin(async move {
            let context = &recovery.context.majority();
            let mut entries = Vec::new();
            for path in recovery.models.iter().flat_map(|model| paths_of_child(model)) {
                let mut tally = path.tally_of_left();
                path.recover(context, tally.entry(MaintenanceKind::PendingDifference)).await?;
                entries.extend(tally.into_entries(0));
            }
            Ok(entries)
        })
    }
}

impl RollupPath {
    fn tally_of_left(&self) -> Tally {
        Tally::new(self.name())
    }

    async fn recover(&self, context: &Context, entry: &mut MaintenanceEntry) -> Result<()> {
        // The read includes differences without a majority, as from a client that was killed a moment ago.
        let left = self.left_by_parent(&context.newest()).await?;
        let parents: Vec<Bson> = left.into_iter().map(|(parent, _)| parent).collect();
        for parents in parents.chunks(FOLDED_PARENTS) {
            if let Some(folded) = unless_refused(context, self.fold(context, parents).await)? {
                entry.add_several(folded, parents.len() as u64, parents.len() as u64);
                continue;
            }
            for parent in parents {
                match unless_refused(context, self.fold(context, std::slice::from_ref(parent)).await)? {
                    Some(folded) => entry.add_several(folded, 1, 1),
                    None => entry.add_refused(Refused::of([parent.clone()])),
                }
            }
        }
        Ok(())
    }

    /// Returns the parents with left differences, and the number of differences of each.
    pub(in crate::derived::rollup) async fn left_by_parent(&self, context: &Context) -> Result<Vec<(Bson, u64)>> {
        let pipeline = vec![
            doc! { "$match": self.all_left() },
            doc! { "$group": { "_id": "$_id.parent", "count": { "$sum": 1_i64 } } },
        ];
        let found = Aggregate { collection: Some(DELTAS), pipeline }.all(context).await?;
        Ok(found.into_iter().filter_map(|of| Some((of.get("_id")?.clone(), count(of.get("count"))))).collect())
    }
}

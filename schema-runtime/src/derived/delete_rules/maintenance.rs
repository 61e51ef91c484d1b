//! The maintenance of relations with a delete rule: orphans are repaired, and the deletes and inserts of stopped
//! clients are completed. `verify` reports orphans as `dangling_reference`. Reaches the server.

use super::effect::DeleteRules;
use super::{
    recover::{recover_deletes, recover_inserts},
    repair::Children,
    rule::{DELETING_MARK, UNCHECKED, rules_of_child, rules_of_parent},
};
use crate::{
    definition::ModelDefinition,
    derived::{
        maintenance::{Entries, Maintenance, MaintenanceKind, Place, Recovery, Tally, Task},
        marks::count_marked,
    },
    executor::Context,
};

impl Maintenance for DeleteRules {
    fn places(&self, models: &[&'static ModelDefinition], task: Task) -> Vec<Box<dyn Place>> {
        let Task::Repair(writer) = task else { return Vec::new() };
        let rules = models.iter().flat_map(|model| rules_of_child(model));
        rules.map(|ruled| -> Box<dyn Place> { Box::new(Children { ruled, writer }) }).collect()
    }

    fn pending<'a>(&'a self, model: &'static ModelDefinition, context: &'a Context) -> Entries<'a> {
        Box::pin(async move {
            let mut tally = Tally::new((model.model, String::new()));
            let deletes = (!rules_of_parent(model).is_empty(), DELETING_MARK, MaintenanceKind::PendingDelete);
            let inserts = (!rules_of_child(model).is_empty(), UNCHECKED, MaintenanceKind::PendingInsert);
            for (is_ruled, mark, kind) in [deletes, inserts] {
                if is_ruled {
                    tally.entry(kind).add(count_marked(context, model.collection, mark).await?, 0);
                }
            }
            Ok(tally.into_entries(0))
        })
    }

    fn leaves_work(&self, models: &[&'static ModelDefinition]) -> bool {
        models.iter().any(|model| model.has_delete_rules())
    }

    /// Completes the deletes of all models first: the deleted documents need no check.
    fn recover<'a>(&'a self, recovery: Recovery<'a>) -> Entries<'a> {
        Box::pin(async move {
            let Recovery { models, context, writer, .. } = recovery;
            let context = &context.majority();
            let mut tallies = Vec::new();
            for model in models.iter().filter(|model| model.has_delete_rules()) {
                let mut tally = Tally::new((model.model, String::new()));
                if !rules_of_parent(model).is_empty() {
                    recover_deletes(context, model, writer, &mut tally).await?;
                }
                tallies.push((*model, tally));
            }
            for (model, tally) in &mut tallies {
                let rules = rules_of_child(model);
                if !rules.is_empty() {
                    recover_inserts(context, model, &rules, writer, tally).await?;
                }
            }
            Ok(tallies.into_iter().flat_map(|(_, tally)| tally.into_entries(0)).collect())
        })
    }
}

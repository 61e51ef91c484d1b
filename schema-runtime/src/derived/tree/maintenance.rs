//! The maintenance of trees: wrong ancestors are found and written again, and large moves of stopped clients are
//! completed. Reaches the server.

use futures_util::future::BoxFuture;
use mongodb::bson::Document;

use super::effect::Trees;
use super::{
    broken_tree::faults,
    complete::complete_all,
    layout::{Layout, MOVING},
    repair::write,
};
use crate::{
    definition::ModelDefinition,
    derived::{
        effect::Writer,
        maintenance::{Entries, Fault, Maintenance, MaintenanceEntry, MaintenanceKind, Place, Recovery, Tally, Task},
        marks::count_marked,
    },
    error::Result,
    executor::Context,
    limits::SURVEYED_TREE_DOCUMENTS,
    read::{Query, Walk},
};

impl Maintenance for Trees {
    fn places(&self, models: &[&'static ModelDefinition], task: Task) -> Vec<Box<dyn Place>> {
        let writer = match task {
            Task::Verify => None,
            Task::Repair(writer) => Some(writer),
            Task::Backfill => return Vec::new(),
        };
        let layouts = models.iter().filter_map(|model| Layout::of(model));
        layouts.map(|layout| -> Box<dyn Place> { Box::new(Tree { layout, writer }) }).collect()
    }

    fn pending<'a>(&'a self, model: &'static ModelDefinition, context: &'a Context) -> Entries<'a> {
        Box::pin(async move {
            let Some(layout) = Layout::of(model).filter(Layout::keeps_chain) else { return Ok(Vec::new()) };
            let moves = count_marked(context, model.collection, MOVING).await?;
            Ok(layout.moves(moves, 0))
        })
    }
    fn leaves_work(&self, models: &[&'static ModelDefinition]) -> bool {
        models.iter().filter_map(|model| Layout::of(model)).any(|layout| layout.keeps_chain())
    }

    fn recover<'a>(&'a self, recovery: Recovery<'a>) -> Entries<'a> {
        Box::pin(async move {
            let Recovery { models, context, writer, .. } = recovery;
            let mut entries = Vec::new();
            for layout in models.iter().filter_map(|model| Layout::of(model)).filter(Layout::keeps_chain) {
                let moves = complete_all(context, &layout, writer).await?;
                entries.extend(layout.moves(moves, moves));
            }
            Ok(entries)
        })
    }

    /// Ancestors that a cascade has deleted block a move until the recovery of the deletes is done.
    fn recovers_first(&self) -> bool {
        true
    }
}

/// The tree of one model.
struct Tree {
    layout: Layout,
    /// The writes with all effects, for a repair.
    writer: Option<Writer>,
}

impl Place for Tree {
    fn name(&self) -> (&'static str, String) {
        self.layout.place()
    }

    fn walk(&self, context: &Context) -> Walk {
        let query = Query::new(self.layout.definition.collection, Document::new());
        Walk::by_id(context, Query { projection: self.layout.projection(), ..query }, SURVEYED_TREE_DOCUMENTS)
    }

    fn faults<'a>(&'a mut self, context: &'a Context, chunk: Vec<Document>) -> BoxFuture<'a, Result<Vec<Fault>>> {
        Box::pin(async move { faults(context, &self.layout, &chunk).await })
    }

    /// Completes the pending moves, which would write wrong documents again.
    fn prepare<'a>(&'a self, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            match self.writer.filter(|_| self.layout.keeps_chain()) {
                Some(writer) => complete_all(context, &self.layout, writer).await.map(drop),
                None => Ok(()),
            }
        })
    }

    fn rewrite<'a>(&'a self, context: &'a Context, fault: &'a Fault) -> BoxFuture<'a, Result<Option<u64>>> {
        Box::pin(async move {
            match (fault.kind, self.writer) {
                (MaintenanceKind::WrongAncestors, Some(writer)) => {
                    Ok(Some(u64::from(write(context, self.layout, &fault.id, writer).await?)))
                }
                _ => Ok(None),
            }
        })
    }

    /// A written document makes the documents below wrong. The next walk finds the wrong documents: a walk for each
    /// level at most.
    fn walks(&self) -> usize {
        self.layout.max_depth * 2 + 1
    }
}

impl Layout {
    fn place(&self) -> (&'static str, String) {
        (self.definition.model, self.parent.to_owned())
    }

    fn moves(&self, moves: u64, completed: u64) -> Vec<MaintenanceEntry> {
        let mut tally = Tally::new(self.place());
        tally.entry(MaintenanceKind::PendingMove).add(moves, completed);
        tally.into_entries(0)
    }
}

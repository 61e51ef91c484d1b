//! Backfill of copies that were declared after the data, or written by clients with a different version of the model. A
//! holder gets the values and the version of its source only when its copies have no version, or are of different
//! fields. A filled holder is not found again, so a stopped backfill resumes when run again.

use std::mem;

use futures_util::future::BoxFuture;
use mongodb::bson::Document;

use super::{
    held::{self, Held},
    rewrite::rewrite,
};
use crate::{
    derived::{
        copies::stored::path::CopyPath,
        maintenance::{Fault, MaintenanceKind, Place, Tally},
        throttle::Throttle,
    },
    error::Result,
    executor::Context,
    read::Walk,
};

/// The incomplete copies of one path.
pub(super) struct IncompleteCopies {
    path: CopyPath,
    /// The incomplete copies of the last chunk.
    held: Vec<Held>,
}

impl IncompleteCopies {
    pub(super) fn new(path: CopyPath) -> Self {
        IncompleteCopies { path, held: Vec::new() }
    }
}

impl Place for IncompleteCopies {
    fn name(&self) -> (&'static str, String) {
        (self.path.holder.model, self.path.reference_path())
    }

    fn walk(&self, context: &Context) -> Walk {
        held::walk(&context.majority(), &self.path, self.path.incomplete())
    }

    fn faults<'a>(&'a mut self, _: &'a Context, chunk: Vec<Document>) -> BoxFuture<'a, Result<Vec<Fault>>> {
        let is_incomplete = |held: &Held| held.is_of_nothing() || held.version.is_none() || !held.is_whole;
        self.held = held::held_in(&self.path, chunk).into_iter().filter(is_incomplete).collect();
        let faults = self.held.iter().map(|held| held.fault(MaintenanceKind::IncompleteCopy)).collect();
        Box::pin(async move { Ok(faults) })
    }

    fn rewrite_chunk<'a>(
        &'a mut self,
        context: &'a Context,
        throttle: &'a Throttle,
        _: Vec<Fault>,
        tally: &'a mut Tally,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let rewritten = rewrite(&context.majority(), &self.path, mem::take(&mut self.held), throttle).await?;
            tally.leave_all(rewritten.gone.iter().map(|held| held.fault(MaintenanceKind::CopyWithoutSource)).collect());
            let entry = tally.entry(MaintenanceKind::IncompleteCopy);
            entry.add_several(rewritten.copies, rewritten.holders, rewritten.holders);
            entry.add_refused(rewritten.refused);
            Ok(())
        })
    }
}

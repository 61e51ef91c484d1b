//! Rollups as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document};

use super::{
    delete::delete,
    index,
    path::{has_parents, paths_of_child},
    prepare,
    writing::RollupWriting,
};
use crate::{
    definition::ModelDefinition,
    derived::effect::{Effect, Known, LeavesOut, OneWrite, Running},
    error::Result,
    executor::{Context, Outcome, Sent},
};

pub(crate) const EFFECT: Effect = Effect {
    concerns: ModelDefinition::has_rollups,
    begin: |definition, begin, _| {
        Box::new(RollupWriting { together: begin.together, ..RollupWriting::new(definition) })
    },
    alone: |definition| {
        let paths = paths_of_child(definition);
        Box::new(move |write| match write {
            OneWrite::Insert => false,
            OneWrite::Update { touched, upsert } => *upsert || paths.iter().any(|path| path.concerns(touched)),
            OneWrite::Delete => !paths.is_empty(),
        })
    },
    atomic: |_| Box::new(|_| false),
    // The last that a delete comes to.
    delete: |definition| {
        has_parents(definition)
            .then_some(|context, definition, filter, many, _| Box::pin(delete(context, definition, filter, many)))
    },
    owns: |definition, name, _| definition.rollups.iter().any(|rollup| rollup.name == name),
    unchanged: prepare::is_unchanged,
    nested: |_| Vec::new(),
    is_same: |_, _, _, _| true,
    compares: |_| false,
    inserts_again: |_, _, _| false,
    indexes: |definition| index::indexes(definition).into_iter().map(Into::into).collect(),
};

impl Running for RollupWriting {
    fn inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a Known>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.fill_inserts(context, documents))
    }

    fn update<'a>(&'a mut self, context: &'a Context, sent: &'a mut Sent, many: bool) -> BoxFuture<'a, Result<bool>> {
        Box::pin(self.fill_update(context, sent, many))
    }

    fn prepares_updates(&self) -> bool {
        !self.together
    }

    fn hears(&mut self, outcome: Option<&Outcome>) {
        self.note_upserted(outcome.and_then(|outcome| outcome.upserted_id.clone()));
    }

    fn hears_of_bulk(&mut self, upserted: &[Bson]) {
        self.note_upserted(upserted.iter().cloned());
    }

    fn find_upserted<'a>(&'a mut self, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.find_inserted(context))
    }

    fn leaves_out(&self) -> LeavesOut {
        if self.is_pinned() { LeavesOut::Begun } else { LeavesOut::Nothing }
    }

    fn try_again<'a>(&'a self, context: &'a Context) -> BoxFuture<'a, Result<bool>> {
        Box::pin(self.has_missed(context))
    }

    fn send_again<'a>(&'a mut self, context: &'a Context, matched: u64) -> BoxFuture<'a, Result<bool>> {
        Box::pin(self.has_lost(context, matched))
    }

    fn some_only(&mut self) {
        self.forget_deltas();
    }

    fn finish<'a>(self: Box<Self>, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        RollupWriting::finish(*self, context)
    }
}

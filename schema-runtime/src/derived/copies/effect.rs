//! Copies as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocumentBuf};

use super::{
    index,
    path::{paths_from, paths_into},
    source::of_whole,
    writing::Writing,
};
use crate::{
    definition::{CopyMode, ModelDefinition},
    derived::effect::{Effect, Known, LeavesOut, Running},
    document::value_at,
    error::Result,
    executor::{Context, Outcome, Sent},
};

pub(crate) const EFFECT: Effect = Effect {
    concerns: ModelDefinition::has_copies,
    begin: |definition, begin| Box::new(Writing::new(definition, begin)),
    alone: |_| Box::new(|_| false),
    delete: |_| None,
    owns: |definition, name| definition.copies.iter().any(|copy| copy.mode != CopyMode::Snapshot && copy.name == name),
    unchanged,
    indexes: index::indexes,
};

/// The references and the copied fields are as they are in the value. Not asked of references in an array.
fn unchanged(definition: &'static ModelDefinition, own: &Document) -> Option<Vec<Document>> {
    let same = |name: &str| mongodb::bson::doc! { name: { "$eq": value_at(own, name) } };
    let mut all = Vec::new();
    for path in paths_into(definition) {
        if !path.steps.is_empty() {
            return None;
        }
        all.push(same(path.reference));
    }
    for path in paths_from(definition) {
        all.extend(path.from().map(same));
    }
    Some(all)
}

impl Running for Writing {
    fn inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        known: Option<&'a Known>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let known = match known {
                Some(Known { definition, document }) => of_whole(definition, document)?,
                None => None,
            };
            self.fill_inserts(context, documents, known.as_ref()).await
        })
    }

    fn before_inserts<'a>(&'a mut self, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.intend(context))
    }

    fn update<'a>(&'a mut self, context: &'a Context, sent: &'a mut Sent, _: bool) -> BoxFuture<'a, Result<bool>> {
        self.fill_touched(context, sent)
    }

    fn send_one<'a>(&'a mut self, context: &'a Context, sent: &mut Sent) -> Option<BoxFuture<'a, Result<Outcome>>> {
        Some(self.update_one(context, std::mem::take(sent)))
    }

    fn send_found<'a>(
        &'a mut self,
        context: &'a Context,
        sent: &mut Sent,
        after: bool,
    ) -> Option<BoxFuture<'a, Result<Option<RawDocumentBuf>>>> {
        Some(self.find_one_and_update(context, std::mem::take(sent), after, Document::new()))
    }

    fn hears(&mut self, outcome: Option<&Outcome>) {
        match outcome {
            Some(outcome) => self.note(outcome),
            // Some may be changed.
            None => self.note_marked(),
        }
    }

    fn hears_of_bulk(&mut self, upserted: &[Bson]) {
        self.note_bulk(upserted.iter().cloned());
    }

    fn leaves_out(&self) -> LeavesOut {
        if self.is_guarded() { LeavesOut::Newer } else { LeavesOut::Nothing }
    }

    fn try_again<'a>(&'a self, context: &'a Context) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move { Ok(self.is_guarded() && self.has_moved(context).await?) })
    }

    fn finish<'a>(self: Box<Self>, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Writing::finish(*self, context)
    }
}

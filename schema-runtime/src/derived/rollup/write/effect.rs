//! Rollups as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{delete::delete, writing::RollupWriting};
use crate::{
    changes::UpdateSpec,
    definition::ModelDefinition,
    derived::{
        effect::{
            Delete, Demand, Demands, Effect, EffectRun, Event, NeededIndex, Reply, Returns, SourceDocument, WriteStart,
            WriteView, Writer,
        },
        rollup::stored::{
            index,
            path::{has_parents, names, paths_of_child},
        },
    },
    document::value_at,
    error::Result,
    executor::Context,
};

/// The effect of rollups.
pub(crate) struct Rollups;

impl Effect for Rollups {
    fn name(&self) -> &'static str {
        "rollups"
    }

    fn concerns(&self, definition: &ModelDefinition) -> bool {
        definition.has_rollups()
    }

    fn begin(&self, definition: &'static ModelDefinition, start: &WriteStart, _: Writer) -> Box<dyn EffectRun> {
        Box::new(RollupWriting::new(definition, start.kind))
    }

    /// Demands a transaction for writes that also write a parent, and for the insert of a parent: the insert counts the
    /// existing children.
    fn demands(&self, definition: &'static ModelDefinition) -> Demands {
        let paths = paths_of_child(definition);
        Box::new(move |write| {
            let is_atomic = match write {
                WriteView::Insert | WriteView::Update { upsert: true, .. } => true,
                WriteView::Update { touched, .. } => paths.iter().any(|path| path.concerns(touched)),
                WriteView::Delete => !paths.is_empty(),
            };
            if is_atomic { Demand::Transaction } else { Demand::None }
        })
    }

    fn shares(&self, _: &'static ModelDefinition, _: &WriteView<'_>) -> Option<u64> {
        Some(0)
    }

    // Rollups are the last effect that a delete reaches.
    fn delete(&self, definition: &'static ModelDefinition) -> Option<Delete> {
        has_parents(definition)
            .then_some(|context, definition, filter, reach, _| Box::pin(delete(context, definition, filter, reach)))
    }

    fn owns(&self, definition: &ModelDefinition, name: &str, _: Option<&Bson>) -> bool {
        definition.rollups.iter().any(|rollup| rollup.name == name)
    }

    /// Returns the conditions under which a replacement by the given document changes no value of the parents.
    fn unchanged(&self, definition: &'static ModelDefinition, own: &Document) -> Vec<Document> {
        let paths = paths_of_child(definition);
        names(&paths).into_iter().map(|name| doc! { name: { "$eq": value_at(own, name) } }).collect()
    }

    fn indexes(&self, definition: &'static ModelDefinition) -> Vec<NeededIndex> {
        index::indexes(definition).into_iter().map(|keys| (keys, None).into()).collect()
    }
}

impl EffectRun for RollupWriting {
    fn fill_inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a SourceDocument>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.fill_inserts(context, documents))
    }

    fn fill_update<'a>(&'a mut self, _: &'a Context, spec: &'a mut UpdateSpec) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move { Ok(self.fill_update(spec)) })
    }

    fn before_updates<'a>(
        &'a mut self,
        context: &'a Context,
        updates: &'a mut [UpdateSpec],
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.read_all_before(context, updates))
    }

    fn before_update<'a>(&'a mut self, context: &'a Context, spec: &'a mut UpdateSpec) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.read_before(context, spec))
    }

    fn send<'a>(
        &'a mut self,
        context: &'a Context,
        spec: &mut UpdateSpec,
        returns: Returns,
    ) -> Option<BoxFuture<'a, Result<Reply>>> {
        if returns != Returns::Outcome || !self.is_returned(spec) {
            return None;
        }
        let spec = std::mem::take(spec);
        Some(Box::pin(async move { self.update_returned(context, spec).await.map(Reply::Outcome) }))
    }

    fn note(&mut self, event: Event<'_>) -> Result<()> {
        self.updated.note(event)
    }

    fn finish<'a>(self: Box<Self>, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(RollupWriting::finish(*self, context))
    }
}

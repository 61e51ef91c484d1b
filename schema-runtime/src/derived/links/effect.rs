//! Links as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{
    delete::delete,
    link::{Link, links_from},
    writing::LinkWriting,
};
use crate::{
    changes::UpdateSpec,
    definition::ModelDefinition,
    derived::effect::{
        Delete, Demand, Demands, Effect, EffectRun, Event, SourceDocument, WriteStart, WriteView, Writer,
    },
    document::value_at,
    error::Result,
    executor::Context,
};

/// The effect of `two_way` relations.
pub(crate) struct Links;

impl Effect for Links {
    fn name(&self) -> &'static str {
        "links"
    }

    fn concerns(&self, definition: &ModelDefinition) -> bool {
        definition.has_links()
    }

    fn begin(&self, definition: &'static ModelDefinition, start: &WriteStart, _: Writer) -> Box<dyn EffectRun> {
        Box::new(LinkWriting::new(definition, start.kind))
    }

    /// Demands a transaction for writes that also write the opposite end. An insert counts even when the inserted
    /// document refers to no document.
    fn demands(&self, definition: &'static ModelDefinition) -> Demands {
        let from = links_from(definition);
        let is_mirror = !definition.mirrors.is_empty();
        Box::new(move |write| {
            let is_atomic = match write {
                WriteView::Insert => !from.is_empty(),
                // An upsert that inserts a document gives the document an empty mirror.
                WriteView::Update { upsert: true, .. } if is_mirror => true,
                WriteView::Update { touched, upsert } => from.iter().any(|link| *upsert || link.is_touched(touched)),
                WriteView::Delete => true,
            };
            if is_atomic { Demand::Transaction } else { Demand::None }
        })
    }

    fn shares(&self, _: &'static ModelDefinition, _: &WriteView<'_>) -> Option<u64> {
        Some(0)
    }

    fn delete(&self, _: &'static ModelDefinition) -> Option<Delete> {
        Some(|context, definition, filter, reach, writer| Box::pin(delete(context, definition, filter, reach, writer)))
    }

    fn owns(&self, definition: &ModelDefinition, name: &str, _: Option<&Bson>) -> bool {
        let mut mirrors = definition.mirrors.iter().filter_map(|mirror| definition.field(mirror.field));
        mirrors.any(|field| field.name == name)
    }

    fn unchanged(&self, definition: &'static ModelDefinition, own: &Document) -> Vec<Document> {
        let same = |link: &Link| doc! { link.name(): { "$eq": value_at(own, link.name()) } };
        links_from(definition).iter().map(same).collect()
    }
}

impl EffectRun for LinkWriting {
    fn fill_inserts<'a>(
        &'a mut self,
        _: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a SourceDocument>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move { self.fill_inserts(documents) })
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

    fn note(&mut self, event: Event<'_>) -> Result<()> {
        self.updated.note(event)
    }

    fn finish<'a>(self: Box<Self>, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(LinkWriting::finish(*self, context))
    }
}

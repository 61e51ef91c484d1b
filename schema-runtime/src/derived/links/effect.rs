//! Links as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use super::{
    delete::delete,
    link::{Link, links_from},
    writing::LinkWriting,
};
use crate::{
    definition::ModelDefinition,
    derived::effect::{Effect, Known, OneWrite, Running, Which},
    document::value_at,
    error::Result,
    executor::{Context, Outcome, Sent},
};

pub(crate) const EFFECT: Effect = Effect {
    concerns: ModelDefinition::has_links,
    begin: |definition, begin, _| Box::new(LinkWriting::new(definition, begin.together)),
    alone: |_| Box::new(|_| false),
    atomic,
    shares: |_, _| Some(0),
    gathers: |_, _, _| false,
    prepares: false,
    delete: |_| {
        Some(|context, definition, filter, many, others| Box::pin(delete(context, definition, filter, many, others)))
    },
    owns: |definition, name, _| {
        let mut mirrors = definition.mirrors.iter().filter_map(|mirror| definition.field(mirror.field));
        mirrors.any(|field| field.name == name)
    },
    unchanged: |definition, own| {
        let same = |link: &Link| doc! { link.name(): { "$eq": value_at(own, link.name()) } };
        links_from(definition).iter().map(same).collect()
    },
    nested: |_| Vec::new(),
    is_same: |_, _, _, _| true,
    compares: |_| false,
    inserts_again: |_, _, _| false,
    indexes: |_| Vec::new(),
};

/// Selects the writes that also write the opposite end. An insert counts even when the inserted document refers to no document.
fn atomic(definition: &'static ModelDefinition) -> Which {
    let from = links_from(definition);
    let is_mirror = !definition.mirrors.is_empty();
    Box::new(move |write| match write {
        OneWrite::Insert => !from.is_empty(),
        // An upsert that inserts a document gives the document an empty mirror.
        OneWrite::Update { upsert: true, .. } if is_mirror => true,
        OneWrite::Update { touched, upsert } => from.iter().any(|link| *upsert || link.is_touched(touched)),
        OneWrite::Delete => true,
    })
}

impl Running for LinkWriting {
    fn inserts<'a>(
        &'a mut self,
        _: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a Known>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move { self.fill_inserts(documents) })
    }

    fn update<'a>(&'a mut self, _: &'a Context, sent: &'a mut Sent, _: bool) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move { Ok(self.fill_update(sent)) })
    }

    fn before_updates<'a>(&'a mut self, context: &'a Context, updates: &'a mut [Sent]) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.read_all_before(context, updates))
    }

    fn before_update<'a>(
        &'a mut self,
        context: &'a Context,
        sent: &'a mut Sent,
        many: bool,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.read_before(context, sent, many))
    }

    fn hears(&mut self, outcome: Option<&Outcome>) {
        self.updated.add_outcome(outcome);
    }

    fn hears_found(&mut self, found: Option<&RawDocumentBuf>, after: bool) -> Result<()> {
        self.updated.add_found(found, after)
    }

    fn hears_of_bulk(&mut self, upserted: &[Bson]) {
        self.updated.upserted.extend_from_slice(upserted);
    }

    fn finish<'a>(self: Box<Self>, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(LinkWriting::finish(*self, context))
    }
}

//! Rollups as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use super::{delete::delete, writing::RollupWriting};
use crate::{
    definition::ModelDefinition,
    derived::{
        effect::{Effect, Known, OneWrite, Running, Which},
        rollup::stored::{
            index,
            path::{has_parents, names, paths_of_child},
        },
    },
    document::value_at,
    error::Result,
    executor::{Context, Outcome, Sent},
};

pub(crate) const EFFECT: Effect = Effect {
    concerns: ModelDefinition::has_rollups,
    begin: |definition, begin, _| Box::new(RollupWriting::new(definition, begin.together)),
    alone: |_| Box::new(|_| false),
    atomic,
    shares: |_, _| Some(0),
    gathers: |_, _, _| false,
    prepares: false,
    // Rollups are the last effect that a delete reaches.
    delete: |definition| {
        has_parents(definition)
            .then_some(|context, definition, filter, many, _| Box::pin(delete(context, definition, filter, many)))
    },
    owns: |definition, name, _| definition.rollups.iter().any(|rollup| rollup.name == name),
    unchanged,
    nested: |_| Vec::new(),
    is_same: |_, _, _, _| true,
    compares: |_| false,
    inserts_again: |_, _, _| false,
    indexes: |definition| index::indexes(definition).into_iter().map(|keys| (keys, None).into()).collect(),
};

/// Selects the writes that also write a parent, and the insert of a parent: the insert counts the existing children.
fn atomic(definition: &'static ModelDefinition) -> Which {
    let paths = paths_of_child(definition);
    Box::new(move |write| match write {
        OneWrite::Insert | OneWrite::Update { upsert: true, .. } => true,
        OneWrite::Update { touched, .. } => paths.iter().any(|path| path.concerns(touched)),
        OneWrite::Delete => !paths.is_empty(),
    })
}

/// Returns the conditions under which a replacement by the given document changes no value of the parents.
fn unchanged(definition: &'static ModelDefinition, own: &Document) -> Vec<Document> {
    let paths = paths_of_child(definition);
    names(&paths).into_iter().map(|name| doc! { name: { "$eq": value_at(own, name) } }).collect()
}

impl Running for RollupWriting {
    fn inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a Known>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.fill_inserts(context, documents))
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

    fn send_one<'a>(&'a mut self, context: &'a Context, sent: &mut Sent) -> Option<BoxFuture<'a, Result<Outcome>>> {
        self.is_returned(sent).then(|| -> BoxFuture<'a, Result<Outcome>> {
            Box::pin(self.update_returned(context, std::mem::take(sent)))
        })
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
        Box::pin(RollupWriting::finish(*self, context))
    }
}

//! Trees as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{
    layout::{Layout, MOVING},
    writing::TreeWriting,
};
use crate::{
    changes::UpdateSpec,
    definition::{FieldDefinition, ModelDefinition, TreeField},
    derived::{
        effect::{Demand, Demands, Effect, EffectRun, NeededIndex, SourceDocument, WriteStart, WriteView, Writer},
        marks::index_of_marks,
    },
    document::value_at,
    error::Result,
    executor::Context,
};

/// The effect of trees on inserts and updates.
pub(crate) struct Trees;

impl Effect for Trees {
    fn name(&self) -> &'static str {
        "trees"
    }

    fn concerns(&self, definition: &ModelDefinition) -> bool {
        definition.has_tree()
    }

    fn begin(&self, definition: &'static ModelDefinition, start: &WriteStart, _: Writer) -> Box<dyn EffectRun> {
        Box::new(TreeWriting::new(definition, start.kind))
    }

    /// Demands a transaction for an insert, which touches the parent, and a single write for an update of the parent.
    fn demands(&self, definition: &'static ModelDefinition) -> Demands {
        let parent = Layout::of(definition).map(|layout| layout.parent);
        Box::new(move |write| match write {
            WriteView::Insert => Demand::Transaction,
            WriteView::Update { touched, upsert }
                if *upsert || touched.iter().any(|path| Some(path.as_str()) == parent) =>
            {
                Demand::Alone
            }
            WriteView::Update { .. } | WriteView::Delete => Demand::None,
        })
    }

    fn owns(&self, definition: &ModelDefinition, name: &str, _: Option<&Bson>) -> bool {
        definition.fields.iter().any(|field| field.name == name && is_derived(field))
    }

    fn unchanged(&self, definition: &'static ModelDefinition, own: &Document) -> Vec<Document> {
        let same = |layout: Layout| doc! { layout.parent: { "$eq": value_at(own, layout.parent) } };
        Layout::of(definition).map(same).into_iter().collect()
    }

    fn indexes(&self, definition: &'static ModelDefinition) -> Vec<NeededIndex> {
        let keeps = Layout::of(definition).is_some_and(|layout| layout.keeps_chain());
        keeps.then(|| index_of_marks(MOVING)).into_iter().collect()
    }
}

fn is_derived(field: &FieldDefinition) -> bool {
    field.tree.is_some_and(|(tree, _)| tree != TreeField::Parent)
}

impl EffectRun for TreeWriting {
    fn fill_inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a SourceDocument>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.fill_inserts(context, documents))
    }

    fn fill_update<'a>(&'a mut self, context: &'a Context, spec: &'a mut UpdateSpec) -> BoxFuture<'a, Result<bool>> {
        Box::pin(self.guard_update(context, spec))
    }

    fn try_again<'a>(&'a self, _: &'a Context) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(self.is_guarded()) })
    }
}

//! Trees as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, doc};

use super::{
    layout::{Layout, MOVING},
    writing::TreeWriting,
};
use crate::{
    definition::{FieldDefinition, ModelDefinition, TreeField},
    derived::effect::{Effect, Known, OneWrite, Running},
    document::value_at,
    error::Result,
    executor::{Context, Sent},
};

pub(crate) const EFFECT: Effect = Effect {
    concerns: ModelDefinition::has_tree,
    begin: |definition, begin, _| Box::new(TreeWriting::new(definition, begin.together)),
    alone: |definition| {
        let parent = Layout::of(definition).map(|layout| layout.parent);
        Box::new(move |write| match write {
            OneWrite::Update { touched, upsert } => *upsert || touched.iter().any(|path| Some(path.as_str()) == parent),
            OneWrite::Insert | OneWrite::Delete => false,
        })
    },
    // The transaction of the insert touches the parent.
    atomic: |_| Box::new(|write| matches!(write, OneWrite::Insert)),
    shares: |_, _| None,
    gathers: |_, _, _| false,
    prepares: false,
    delete: |_| None,
    owns: |definition, name, _| definition.fields.iter().any(|field| field.name == name && is_derived(field)),
    unchanged: |definition, own| {
        let same = |layout: Layout| doc! { layout.parent: { "$eq": value_at(own, layout.parent) } };
        Layout::of(definition).map(same).into_iter().collect()
    },
    nested: |_| Vec::new(),
    is_same: |_, _, _, _| true,
    compares: |_| false,
    inserts_again: |_, _, _| false,
    indexes: |definition| {
        let keeps = Layout::of(definition).is_some_and(|layout| layout.keeps_chain());
        let index = (doc! { MOVING: 1 }, Some(doc! { MOVING: { "$exists": true } }));
        keeps.then(|| index.into()).into_iter().collect()
    },
};

fn is_derived(field: &FieldDefinition) -> bool {
    field.tree.is_some_and(|(tree, _)| tree != TreeField::Parent)
}

impl Running for TreeWriting {
    fn inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a Known>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.fill_inserts(context, documents))
    }

    fn update<'a>(&'a mut self, context: &'a Context, sent: &'a mut Sent, _: bool) -> BoxFuture<'a, Result<bool>> {
        Box::pin(self.guard_update(context, sent))
    }

    fn try_again<'a>(&'a self, _: &'a Context) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(self.is_guarded()) })
    }
}

//! Trees as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, doc};

use super::{
    complete::delete,
    layout::{Layout, MOVING},
    writing::TreeWriting,
};
use crate::{
    definition::{DeleteRule, FieldDefinition, ModelDefinition, TreeField},
    derived::effect::{Delete, Effect, Known, OneWrite, Running},
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
    // The parent is touched in the transaction of the insert; what a large move has still to write is written in that of a delete.
    atomic: |definition| {
        let cascades = cascades(definition);
        Box::new(move |write| match write {
            OneWrite::Insert => true,
            OneWrite::Update { .. } => false,
            OneWrite::Delete => cascades,
        })
    },
    delete: |definition| {
        let delete: Delete =
            |context, definition, filter, many, others| Box::pin(delete(context, definition, filter, many, others));
        cascades(definition).then_some(delete)
    },
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

/// Whether a delete takes the children with it, of which some may still have old ancestors.
fn cascades(definition: &'static ModelDefinition) -> bool {
    let Some(layout) = Layout::of(definition).filter(Layout::keeps_chain) else { return false };
    let mut inverses = definition.inverses.iter();
    inverses.any(|inverse| inverse.field == layout.parent_field && inverse.on_delete == Some(DeleteRule::Cascade))
}

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

    fn prepares_updates(&self) -> bool {
        false
    }

    fn try_again<'a>(&'a self, _: &'a Context) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(self.is_guarded()) })
    }

    fn finish<'a>(self: Box<Self>, _: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }
}

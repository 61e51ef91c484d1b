//! Slugs as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::Document;

use super::writing::{SlugWriting, is_taken, leaves_empty};
use crate::{
    definition::ModelDefinition,
    derived::effect::{Effect, Known, Running},
    error::Result,
    executor::{Context, Sent},
};

pub(crate) const EFFECT: Effect = Effect {
    concerns: ModelDefinition::has_slugs,
    begin: |definition, _, _| Box::new(SlugWriting { definition }),
    alone: |_| Box::new(|_| false),
    atomic: |_| Box::new(|_| false),
    delete: |_| None,
    owns: leaves_empty,
    unchanged: |_, _| Vec::new(),
    nested: |_| Vec::new(),
    is_same: |_, _, _, _| true,
    compares: |_| false,
    inserts_again: is_taken,
    indexes: |_| Vec::new(),
};

impl Running for SlugWriting {
    fn inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a Known>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move { self.fill_inserts(context, documents).await })
    }

    fn update<'a>(&'a mut self, _: &'a Context, _: &'a mut Sent, _: bool) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(false) })
    }

    fn prepares_updates(&self) -> bool {
        false
    }

    fn finish<'a>(self: Box<Self>, _: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }
}

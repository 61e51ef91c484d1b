//! Slugs as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, doc};

use super::{
    field::{SlugField, moved},
    writing::{SlugWriting, is_taken, leaves_empty},
};
use crate::{
    definition::{KeptSlugs, ModelDefinition},
    derived::effect::{Effect, Known, NeededIndex, OneWrite, Running, Which},
    error::{Error, Result},
    executor::{Context, Sent},
};

pub(crate) const EFFECT: Effect = Effect {
    concerns: ModelDefinition::has_slugs,
    begin: |definition, begin, _| {
        Box::new(SlugWriting { definition, together: begin.together, is_guarded: false, made: Vec::new() })
    },
    alone,
    atomic: |_| Box::new(|_| false),
    shares: |_, _| None,
    gathers: |_, _, _| false,
    prepares: false,
    delete: |_| None,
    owns: leaves_empty,
    unchanged,
    nested: |_| Vec::new(),
    is_same: |_, _, _, _| true,
    compares: |_| false,
    inserts_again: is_taken,
    indexes: |definition| {
        let kept = moved(definition).filter_map(|slug| slug.kept);
        let index = |kept: KeptSlugs| {
            let partial = Some(doc! { kept.name: { "$exists": true } });
            NeededIndex { keys: doc! { kept.name: 1 }, partial, unique: true }
        };
        kept.map(index).collect()
    },
};

/// Selects the updates that change a slug, or a field that a slug follows.
fn alone(definition: &'static ModelDefinition) -> Which {
    let moved: Vec<SlugField> = moved(definition).collect();
    Box::new(move |write| match write {
        OneWrite::Update { touched, upsert } => {
            moved.iter().any(|slug| slug.is_changed_by(touched) || *upsert && slug.kept.is_some())
        }
        OneWrite::Insert | OneWrite::Delete => false,
    })
}

/// Returns the conditions that the slugs, and the fields that slugs follow, equal the value.
fn unchanged(definition: &'static ModelDefinition, own: &Document) -> Vec<Document> {
    let names = moved(definition).flat_map(|slug| [Some(slug.name), slug.follow.then_some(slug.from)]);
    // A slug that the value leaves empty is absent from the value.
    let set = names.flatten().filter_map(|name| Some((name, own.get(name)?)));
    set.map(|(name, value)| doc! { name: { "$eq": value.clone() } }).collect()
}

impl Running for SlugWriting {
    fn inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a Known>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move { self.fill_inserts(context, documents).await })
    }

    fn update<'a>(&'a mut self, context: &'a Context, sent: &'a mut Sent, many: bool) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            match self.together {
                true => Ok(false),
                false => self.move_slugs(context, sent, many).await,
            }
        })
    }

    fn is_overtaken(&self, error: &Error) -> bool {
        let is_made = |slug: &SlugField| {
            let mut made = self.made.iter().filter(|(name, _)| *name == slug.name);
            made.any(|(_, made)| slug.is_duplicate_of(error, made))
        };
        moved(self.definition).any(|slug| is_made(&slug))
    }

    fn try_again<'a>(&'a self, _: &'a Context) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(self.is_guarded) })
    }
}

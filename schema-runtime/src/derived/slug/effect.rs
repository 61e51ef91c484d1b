//! Slugs as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{
    field::{SlugField, moved},
    writing::{SlugWriting, is_taken, leaves_empty},
};
use crate::{
    changes::UpdateSpec,
    definition::{KeptSlugs, ModelDefinition},
    derived::effect::{
        Demand, Demands, Effect, EffectRun, NeededIndex, SourceDocument, WriteKind, WriteStart, WriteView, Writer,
    },
    error::{Error, Result},
    executor::Context,
};

/// The effect of slugs.
pub(crate) struct Slugs;

impl Effect for Slugs {
    fn name(&self) -> &'static str {
        "slugs"
    }

    fn concerns(&self, definition: &ModelDefinition) -> bool {
        definition.has_slugs()
    }

    fn begin(&self, definition: &'static ModelDefinition, start: &WriteStart, _: Writer) -> Box<dyn EffectRun> {
        let together = start.kind == WriteKind::Bulk;
        Box::new(SlugWriting { definition, together, is_guarded: false, made: Vec::new() })
    }

    /// Demands a single write for an update that changes a slug, or a field that a slug follows.
    fn demands(&self, definition: &'static ModelDefinition) -> Demands {
        let moved: Vec<SlugField> = moved(definition).collect();
        Box::new(move |write| {
            let moves = |touched: &[String], upsert: bool| {
                moved.iter().any(|slug| slug.is_changed_by(touched) || upsert && slug.kept.is_some())
            };
            match write {
                WriteView::Update { touched, upsert } if moves(touched, *upsert) => Demand::Alone,
                _ => Demand::None,
            }
        })
    }

    fn owns(&self, definition: &ModelDefinition, name: &str, value: Option<&Bson>) -> bool {
        leaves_empty(definition, name, value)
    }

    /// Returns the conditions that the slugs, and the fields that slugs follow, equal the value.
    fn unchanged(&self, definition: &'static ModelDefinition, own: &Document) -> Vec<Document> {
        let names = moved(definition).flat_map(|slug| [Some(slug.name), slug.follow.then_some(slug.from)]);
        // A slug that the value leaves empty is absent from the value.
        let set = names.flatten().filter_map(|name| Some((name, own.get(name)?)));
        set.map(|(name, value)| doc! { name: { "$eq": value.clone() } }).collect()
    }

    fn inserts_again(&self, definition: &'static ModelDefinition, document: &Document, error: &Error) -> bool {
        is_taken(definition, document, error)
    }

    fn indexes(&self, definition: &'static ModelDefinition) -> Vec<NeededIndex> {
        let kept = moved(definition).filter_map(|slug| slug.kept);
        let index = |kept: KeptSlugs| {
            let partial = Some(doc! { kept.name: { "$exists": true } });
            NeededIndex { keys: doc! { kept.name: 1 }, partial, unique: true }
        };
        kept.map(index).collect()
    }
}

impl EffectRun for SlugWriting {
    fn fill_inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a SourceDocument>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move { SlugWriting::fill_inserts(self, context, documents).await })
    }

    fn fill_update<'a>(&'a mut self, context: &'a Context, spec: &'a mut UpdateSpec) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            match self.together {
                true => Ok(false),
                false => self.move_slugs(context, spec).await,
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

//! A test effect with three hooks, which gives each inserted document a stamp. The effect is a module and a line in the
//! list of effects.

use futures_util::future::BoxFuture;
use mongodb::bson::Document;

use crate::{
    definition::ModelDefinition,
    derived::effect::{Effect, EffectRun, SourceDocument, WriteStart, Writer},
    error::Result,
    executor::Context,
};

/// The collection whose documents get a stamp.
pub(crate) const COLLECTION: &str = "samples_of_effects";

/// The field of the stamp.
pub(crate) const STAMP: &str = "_stamp";

/// The effect of stamps.
pub(crate) struct Stamps;

impl Effect for Stamps {
    fn name(&self) -> &'static str {
        "stamps"
    }

    fn concerns(&self, definition: &ModelDefinition) -> bool {
        definition.collection == COLLECTION
    }

    fn begin(&self, _: &'static ModelDefinition, _: &WriteStart, _: Writer) -> Box<dyn EffectRun> {
        Box::new(Stamping)
    }
}

#[derive(Debug)]
struct Stamping;

impl EffectRun for Stamping {
    fn fill_inserts<'a>(
        &'a mut self,
        _: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a SourceDocument>,
    ) -> BoxFuture<'a, Result<()>> {
        documents.iter_mut().for_each(|document| drop(document.insert(STAMP, true)));
        Box::pin(async { Ok(()) })
    }
}

//! Copies as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document};

use super::{exceeded, writing::Writing};
use crate::{
    changes::UpdateSpec,
    definition::{CopyMode, ModelDefinition},
    derived::{
        copies::stored::{
            index,
            model_paths::{concern_copies, in_transaction, paths_from, paths_into},
            path::CopyPath,
            source::of_whole,
            structs,
        },
        effect::{
            Effect, EffectRun, Event, LeavesOut, NeededIndex, Reply, Returns, SourceDocument, WriteStart, WriteView,
            Writer,
        },
    },
    document::value_at,
    error::Result,
    executor::Context,
};

/// The effect of copies that follow their source.
pub(crate) struct Copies;

impl Effect for Copies {
    fn name(&self) -> &'static str {
        "copies"
    }

    fn concerns(&self, definition: &ModelDefinition) -> bool {
        definition.has_copies()
    }

    fn begin(&self, definition: &'static ModelDefinition, start: &WriteStart, _: Writer) -> Box<dyn EffectRun> {
        Box::new(Writing::new(definition, start))
    }

    /// Shares the updates that write no copy and no copied field, and the updates of sources with a bounded fan-out.
    fn shares(&self, definition: &'static ModelDefinition, write: &WriteView<'_>) -> Option<u64> {
        in_transaction(&written_by(definition, write)?)
    }

    fn gathers(&self, context: &Context, definition: &'static ModelDefinition, write: &WriteView<'_>) -> bool {
        let paths = written_by(definition, write).unwrap_or_default();
        !paths.is_empty() && in_transaction(&paths).is_some() && !exceeded::is_any(context, &paths)
    }

    fn prepares(&self) -> bool {
        true
    }

    fn owns(&self, definition: &ModelDefinition, name: &str, _: Option<&Bson>) -> bool {
        definition.copies.iter().any(|copy| copy.mode != CopyMode::Snapshot && copy.name == name)
    }

    /// Returns the conditions that the references and the copied fields equal the value. References inside of fields
    /// are not asked for.
    fn unchanged(&self, definition: &'static ModelDefinition, own: &Document) -> Vec<Document> {
        let same = |name: &str| mongodb::bson::doc! { name: { "$eq": value_at(own, name) } };
        let held = paths_into(definition);
        let references = held.iter().filter(|path| path.steps.is_empty()).map(|path| same(path.reference));
        references.chain(paths_from(definition).iter().flat_map(CopyPath::from).map(same)).collect()
    }

    fn nested(&self, definition: &'static ModelDefinition) -> Vec<&'static str> {
        let mut tops: Vec<&'static str> = Vec::new();
        for path in paths_into(definition) {
            let top = path.steps.first().map(|step| step.name);
            tops.extend(top.filter(|top| !tops.contains(top)));
        }
        tops
    }

    /// Compares both documents without the copies and the fields beside the copies.
    fn is_same(&self, definition: &'static ModelDefinition, top: &str, own: &Document, stored: &Document) -> bool {
        let mut both = [own, stored]
            .map(|document| Document::from_iter(document.get(top).map(|value| (top.to_owned(), value.clone()))));
        for path in paths_into(definition) {
            for document in &mut both {
                structs::in_document(&path, document, &mut |found| {
                    let beside = [path.version(), path.field_set()];
                    let names = path.fields.iter().map(|field| field.name).chain(beside.iter().map(String::as_str));
                    names.for_each(|name| drop(found.remove(name)));
                });
            }
        }
        both[0] == both[1]
    }

    /// Returns true when a rewrite of unchanged parts is expensive: a fan-out of a source, or a re-check of references.
    fn compares(&self, definition: &'static ModelDefinition) -> bool {
        let (holds, from) = (paths_into(definition), paths_from(definition));
        let is_nested = holds.iter().any(|path| !path.steps.is_empty());
        let has_rollups = definition.has_rollups();
        let others = [!holds.is_empty(), !from.is_empty(), has_rollups].into_iter().filter(|has| *has).count();
        is_nested || holds.len() > 1 || from.len() > 1 || others > 1
    }

    fn indexes(&self, definition: &'static ModelDefinition) -> Vec<NeededIndex> {
        index::indexes(definition)
    }
}

/// Returns the paths that copy a field that an update changes; `None` for an update that may insert a document or write
/// copies.
fn written_by(definition: &'static ModelDefinition, write: &WriteView<'_>) -> Option<Vec<CopyPath>> {
    let WriteView::Update { touched, upsert: false } = write else { return None };
    if !concern_copies(definition, touched) {
        return Some(Vec::new());
    }
    let holds = |path: &CopyPath, top: &str| match path.steps.first() {
        Some(step) => step.name == top,
        None => path.reference == top || path.fields.iter().any(|field| field.name == top),
    };
    let held = paths_into(definition);
    let is_held = |touched: &String| {
        let top = touched.split('.').next().unwrap_or(touched);
        held.iter().any(|path| holds(path, top))
    };
    if touched.iter().any(is_held) {
        return None;
    }
    let from = paths_from(definition).into_iter();
    Some(from.filter(|path| touched.iter().any(|touched| path.copies_from(touched))).collect())
}

impl EffectRun for Writing {
    fn fill_inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        known: Option<&'a SourceDocument>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let known = match known {
                Some(SourceDocument { definition, document }) => of_whole(definition, document)?,
                None => None,
            };
            self.fill_inserts(context, documents, known.as_ref()).await
        })
    }

    fn before_inserts<'a>(&'a mut self, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.intend(context))
    }

    fn before_updates<'a>(
        &'a mut self,
        context: &'a Context,
        updates: &'a mut [UpdateSpec],
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.read_sources(context, updates))
    }

    fn fill_update<'a>(&'a mut self, context: &'a Context, spec: &'a mut UpdateSpec) -> BoxFuture<'a, Result<bool>> {
        self.fill_touched(context, spec)
    }

    fn send<'a>(
        &'a mut self,
        context: &'a Context,
        spec: &mut UpdateSpec,
        returns: Returns,
    ) -> Option<BoxFuture<'a, Result<Reply>>> {
        let spec = std::mem::take(spec);
        Some(Box::pin(async move {
            if returns == Returns::Outcome {
                return self.update_one(context, spec).await.map(Reply::Outcome);
            }
            self.find_one_and_update(context, spec, returns, Document::new()).await.map(Reply::Document)
        }))
    }

    fn note(&mut self, event: Event<'_>) -> Result<()> {
        match event {
            Event::Updated(outcome) => self.note_outcome(outcome),
            Event::BulkDone(upserted) => self.note_bulk(upserted.iter().cloned()),
            // A failed update may have changed some documents.
            Event::Failed => self.note_marked(),
            Event::Found(..) | Event::InsertedSome => {}
        }
        Ok(())
    }

    fn leaves_out(&self) -> LeavesOut {
        if self.is_guarded() { LeavesOut::Newer } else { LeavesOut::Nothing }
    }

    fn try_again<'a>(&'a self, context: &'a Context) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move { Ok(self.is_guarded() && self.has_moved(context).await?) })
    }

    fn finish<'a>(self: Box<Self>, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Writing::finish(*self, context)
    }
}

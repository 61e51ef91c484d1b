//! Copies as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocumentBuf};

use super::{exceeded, writing::Writing};
use crate::{
    definition::{CopyMode, ModelDefinition},
    derived::{
        copies::stored::{
            index,
            path::CopyPath,
            paths::{concern_copies, in_transaction, paths_from, paths_into},
            source::of_whole,
            structs,
        },
        effect::{Effect, Known, LeavesOut, OneWrite, Running},
    },
    document::value_at,
    error::Result,
    executor::{Context, Outcome, Sent},
};

pub(crate) const EFFECT: Effect = Effect {
    concerns: ModelDefinition::has_copies,
    begin: |definition, begin, _| Box::new(Writing::new(definition, begin)),
    alone: |_| Box::new(|_| false),
    atomic: |_| Box::new(|_| false),
    shares,
    gathers,
    prepares: true,
    delete: |_| None,
    owns: |definition, name, _| {
        definition.copies.iter().any(|copy| copy.mode != CopyMode::Snapshot && copy.name == name)
    },
    unchanged,
    nested,
    is_same,
    compares,
    inserts_again: |_, _, _| false,
    indexes: |definition| index::indexes(definition).into_iter().map(Into::into).collect(),
};

/// Selects the updates that write no copy and no copied field, and the updates of sources with a bounded fan-out.
fn shares(definition: &'static ModelDefinition, write: &OneWrite<'_>) -> Option<u64> {
    in_transaction(&written_by(definition, write)?)
}

fn gathers(context: &Context, definition: &'static ModelDefinition, write: &OneWrite<'_>) -> bool {
    let paths = written_by(definition, write).unwrap_or_default();
    !paths.is_empty() && in_transaction(&paths).is_some() && !exceeded::is_any(context, &paths)
}

/// Returns the paths that copy a field that an update changes; `None` for an update that may insert a document or write copies.
fn written_by(definition: &'static ModelDefinition, write: &OneWrite<'_>) -> Option<Vec<CopyPath>> {
    let OneWrite::Update { touched, upsert: false } = write else { return None };
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

/// Returns the conditions that the references and the copied fields equal the value. References inside of fields are not asked for.
fn unchanged(definition: &'static ModelDefinition, own: &Document) -> Vec<Document> {
    let same = |name: &str| mongodb::bson::doc! { name: { "$eq": value_at(own, name) } };
    let held = paths_into(definition);
    let references = held.iter().filter(|path| path.steps.is_empty()).map(|path| same(path.reference));
    references.chain(paths_from(definition).iter().flat_map(CopyPath::from).map(same)).collect()
}

fn nested(definition: &'static ModelDefinition) -> Vec<&'static str> {
    let mut tops: Vec<&'static str> = Vec::new();
    for path in paths_into(definition) {
        let top = path.steps.first().map(|step| step.name);
        tops.extend(top.filter(|top| !tops.contains(top)));
    }
    tops
}

/// Compares both documents without the copies and the fields beside the copies.
fn is_same(definition: &'static ModelDefinition, top: &str, own: &Document, stored: &Document) -> bool {
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
fn compares(definition: &'static ModelDefinition) -> bool {
    let (holds, from) = (paths_into(definition), paths_from(definition));
    let is_nested = holds.iter().any(|path| !path.steps.is_empty());
    let has_rollups = definition.has_rollups();
    let others = [!holds.is_empty(), !from.is_empty(), has_rollups].into_iter().filter(|has| *has).count();
    is_nested || holds.len() > 1 || from.len() > 1 || others > 1
}

impl Running for Writing {
    fn inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        known: Option<&'a Known>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let known = match known {
                Some(Known { definition, document }) => of_whole(definition, document)?,
                None => None,
            };
            self.fill_inserts(context, documents, known.as_ref()).await
        })
    }

    fn before_inserts<'a>(&'a mut self, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.intend(context))
    }

    fn before_updates<'a>(&'a mut self, context: &'a Context, updates: &'a mut [Sent]) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.read_sources(context, updates))
    }

    fn update<'a>(&'a mut self, context: &'a Context, sent: &'a mut Sent, _: bool) -> BoxFuture<'a, Result<bool>> {
        self.fill_touched(context, sent)
    }

    fn send_one<'a>(&'a mut self, context: &'a Context, sent: &mut Sent) -> Option<BoxFuture<'a, Result<Outcome>>> {
        Some(self.update_one(context, std::mem::take(sent)))
    }

    fn send_found<'a>(
        &'a mut self,
        context: &'a Context,
        sent: &mut Sent,
        after: bool,
    ) -> Option<BoxFuture<'a, Result<Option<RawDocumentBuf>>>> {
        Some(self.find_one_and_update(context, std::mem::take(sent), after, Document::new()))
    }

    fn hears(&mut self, outcome: Option<&Outcome>) {
        match outcome {
            Some(outcome) => self.note(outcome),
            // A failed update may have changed some documents.
            None => self.note_marked(),
        }
    }

    fn hears_of_bulk(&mut self, upserted: &[Bson]) {
        self.note_bulk(upserted.iter().cloned());
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

//! Snapshots: a write of a reference copies the values of the referenced document at the time of the write, and later
//! changes do not follow. A replacement by a whole value keeps the snapshots of the value. Reads the sources, and
//! writes nothing.

use std::collections::HashMap;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document};

use crate::{
    changes::{ChangeSet, Operator, UpdateSpec},
    definition::ModelDefinition,
    derived::{
        copies::stored::{
            model_paths::snapshots_into,
            path::CopyPath,
            source,
            structs::{self, Put},
        },
        effect::{Effect, EffectRun, SourceDocument, WriteStart, Writer},
    },
    document::{equal_to, value_at},
    error::{Error, Result},
    executor::Context,
    key::Key,
};

/// The effect of snapshots.
pub(crate) struct Snapshots;

impl Effect for Snapshots {
    fn name(&self) -> &'static str {
        "snapshots"
    }

    fn concerns(&self, definition: &ModelDefinition) -> bool {
        definition.has_snapshots()
    }

    fn begin(&self, definition: &'static ModelDefinition, _: &WriteStart, _: Writer) -> Box<dyn EffectRun> {
        Box::new(SnapshotWriting::of(definition))
    }

    fn prepares(&self) -> bool {
        true
    }
}

/// Fills documents of a model that are to be inserted.
pub(crate) async fn fill(
    context: &Context,
    definition: &'static ModelDefinition,
    documents: &mut [Document],
) -> Result<()> {
    SnapshotWriting::of(definition).fill_inserts(context, documents).await
}

/// The snapshots that a write fills.
#[derive(Debug)]
struct SnapshotWriting {
    paths: Vec<Path>,
}

/// One place that holds snapshots, with the sources that were read for the place; `None` for a missing source.
#[derive(Debug)]
struct Path {
    path: CopyPath,
    read: HashMap<Key, Option<Document>>,
}

/// The wanted references: the `_id` of the source, and the `_id` of the holder when known.
type Wanted = Vec<(Bson, Bson)>;

impl SnapshotWriting {
    fn of(definition: &'static ModelDefinition) -> Self {
        let paths = snapshots_into(definition).into_iter();
        SnapshotWriting { paths: paths.map(|path| Path { path, read: HashMap::new() }).collect() }
    }

    async fn fill_inserts(&mut self, context: &Context, documents: &mut [Document]) -> Result<()> {
        for path in &mut self.paths {
            path.take_among(documents);
            let mut wanted = Wanted::new();
            for document in &mut *documents {
                let holder = document.get("_id").cloned().unwrap_or(Bson::Null);
                structs::in_document(&path.path, document, &mut |found| {
                    want(&mut wanted, found.get(path.path.reference), &holder);
                });
            }
            path.read(context, &wanted).await?;
            path.refuse_missing(wanted)?;
            for document in &mut *documents {
                structs::in_document(&path.path, document, &mut |found| path.fill(found));
            }
        }
        Ok(())
    }

    async fn fill_update(&mut self, context: &Context, spec: &mut UpdateSpec) -> Result<()> {
        let holder = equal_to(&spec.filter, "_id").cloned().unwrap_or(Bson::Null);
        for path in &mut self.paths {
            let mut wanted = path.wanted_by(&mut spec.changes, &holder);
            let upserted = path.upserted(spec).cloned();
            wanted.extend(upserted.iter().map(|id| (id.clone(), Bson::Null)));
            path.read(context, &wanted).await?;
            wanted.retain(|(id, _)| Some(id) != upserted.as_ref());
            path.refuse_missing(wanted)?;
            let mut beside = Vec::new();
            structs::in_changes(&path.path, &mut spec.changes, &mut |place| match place {
                Put::Struct(found) => path.fill(found),
                Put::Reference { operator, prefix, id } => {
                    beside.extend(path.values_of(id).map(|(name, value)| (operator, format!("{prefix}{name}"), value)));
                }
            });
            if let Some(id) = &upserted {
                let reference = path.path.reference_path();
                let prefix = reference.strip_suffix(path.path.reference).unwrap_or_default();
                let values = path.values_of(id);
                beside.extend(values.map(|(name, value)| (Operator::SetOnInsert, format!("{prefix}{name}"), value)));
            }
            for (operator, field, value) in beside {
                spec.touched.push(field.clone());
                spec.changes.put(operator, field, value);
            }
        }
        Ok(())
    }
}

impl Path {
    /// Adds the sources that are inserted together with their holders.
    fn take_among(&mut self, documents: &[Document]) {
        if self.path.source.collection == self.path.holder.collection {
            let of = |document: &Document| Some((Key::of(document.get("_id")?), Some(document.clone())));
            self.read.extend(documents.iter().filter_map(of));
        }
    }

    fn wanted_by(&self, changes: &mut ChangeSet, holder: &Bson) -> Wanted {
        let mut wanted = Wanted::new();
        structs::in_changes(&self.path, changes, &mut |place| match place {
            Put::Struct(found) => want(&mut wanted, found.get(self.path.reference), holder),
            Put::Reference { id, .. } => want(&mut wanted, Some(id), holder),
        });
        wanted
    }

    /// Returns the reference of an upsert in the filter.
    fn upserted<'s>(&self, spec: &'s UpdateSpec) -> Option<&'s Bson> {
        let reference = self.path.reference_path();
        let is_plain = spec.upsert && !self.path.steps.iter().any(|step| step.is_array);
        let id = equal_to(&spec.filter, &reference).filter(|id| is_plain && **id != Bson::Null)?;
        let is_put = |operator: Operator| structs::puts_by(operator, &self.path, &spec.changes);
        (!is_put(Operator::Set) && !is_put(Operator::SetOnInsert)).then_some(id)
    }

    async fn read(&mut self, context: &Context, wanted: &Wanted) -> Result<()> {
        let missing: HashMap<Key, Bson> = wanted
            .iter()
            .map(|(id, _)| (Key::of(id), id.clone()))
            .filter(|(key, _)| !self.read.contains_key(key))
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let mut found =
            source::as_they_are(&context.majority(), &self.path, missing.values().cloned().collect()).await?;
        self.read.extend(missing.into_keys().map(|key| (key.clone(), found.remove(&key))));
        Ok(())
    }

    /// Returns an error for a missing source, unless the reference may dangle.
    fn refuse_missing(&self, wanted: Wanted) -> Result<()> {
        let is_missing = |(id, _): &(Bson, Bson)| !matches!(self.read.get(&Key::of(id)), Some(Some(_)));
        match wanted.into_iter().find(is_missing).filter(|_| !self.path.may_dangle) {
            None => Ok(()),
            Some((id, holder)) => {
                let place = (self.path.holder.model, self.path.reference_path().replace("..", ".*."));
                Err(Error::dangling(place, self.path.source.collection, id, holder))
            }
        }
    }

    /// Fills the snapshots of a struct. The snapshots of a missing source or a null reference stay as given.
    fn fill(&self, found: &mut Document) {
        let values: Vec<_> = found.get(self.path.reference).into_iter().flat_map(|id| self.values_of(id)).collect();
        found.extend(values);
    }

    fn values_of(&self, id: &Bson) -> impl Iterator<Item = (String, Bson)> {
        let source = self.read.get(&Key::of(id)).and_then(Option::as_ref);
        let fields = source
            .map(|source| self.path.fields.iter().map(|field| (field.name.to_owned(), value_at(source, &field.from))));
        fields.into_iter().flatten()
    }
}

fn want(wanted: &mut Wanted, id: Option<&Bson>, holder: &Bson) {
    if let Some(id) = id.filter(|id| **id != Bson::Null) {
        wanted.push((id.clone(), holder.clone()));
    }
}

impl EffectRun for SnapshotWriting {
    fn fill_inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a SourceDocument>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.fill_inserts(context, documents))
    }

    fn before_updates<'a>(
        &'a mut self,
        context: &'a Context,
        updates: &'a mut [UpdateSpec],
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            for path in &mut self.paths {
                let mut wanted = Wanted::new();
                for spec in updates.iter_mut().filter(|spec| !spec.is_whole) {
                    wanted.extend(path.wanted_by(&mut spec.changes, &Bson::Null));
                }
                path.read(context, &wanted).await?;
            }
            Ok(())
        })
    }

    fn fill_update<'a>(&'a mut self, context: &'a Context, spec: &'a mut UpdateSpec) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            if !spec.is_whole {
                self.fill_update(context, spec).await?;
            }
            Ok(false)
        })
    }
}

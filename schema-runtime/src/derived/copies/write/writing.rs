//! One write of a model that holds copies or is copied. The write fills the references, marks the changed documents,
//! and then propagates the copies. The protocol sets the order of the steps (`docs/copies-protocol.md`).

mod guard;
mod propagate;

pub(in crate::derived::copies) use propagate::{propagate_marked, referred_to};

use std::collections::HashMap;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{
    fill::{self, HoldersOf, Manner, Used},
    intent::Intents,
    pull,
    settle::{self, MarkedHolders},
};
use crate::{
    changes::{Operator, Reach, UpdateSpec},
    definition::ModelDefinition,
    derived::{
        copies::stored::{
            model_paths::{concern_copies, paths_from, paths_into},
            path::{CopyPath, VERSION},
            source::SourceRead,
        },
        effect::{WriteKind, WriteStart},
        marks::PendingMarker,
        throttle::Propagation,
    },
    error::{Error, Result, StoredDocument},
    executor::{Context, Outcome},
    key::Key,
    limits::INTENT_FEWEST,
};

/// A write of documents of one model, with the work for the copies.
#[derive(Debug)]
pub(crate) struct Writing {
    definition: &'static ModelDefinition,
    /// The value of all marks of the write.
    mark: PendingMarker,
    /// The paths in which the write filled copies, with the sources.
    held: Vec<Held>,
    /// The sources that were read for all updates of the write, by the name of the path.
    read: HashMap<String, Used>,
    /// The intents, which replace a mark in each of many inserted holders.
    intents: Option<Intents>,
    /// The paths of the model where the server wrote references by itself: an upsert takes references from the filter.
    unseen: Vec<CopyPath>,
    /// The paths that copy a changed field, or a document that an upsert inserts.
    propagated: Vec<CopyPath>,
    /// True when the write sets a copied field, and not only marks a document that an upsert inserts.
    sets_copied: bool,
    sources: WrittenSources,
    /// The filter of an update.
    asked: Document,
    /// One holder when the write writes one document at most.
    marked: MarkedHolders,
    kind: WriteKind,
    manner: Manner,
    following: Propagation,
}

/// A path in which a write filled copies.
#[derive(Debug)]
struct Held {
    path: CopyPath,
    /// The sources that the write used.
    used: Used,
    /// The holders of each source, when an intent names the holders.
    holders: HoldersOf,
    /// True when the write left out documents with newer copies.
    guarded: bool,
    /// True when the write kept further references. The mark of the write may have replaced a mark that covered the
    /// kept references.
    partial: bool,
}

/// The sources that a write has written.
#[derive(Debug, Default)]
struct WrittenSources {
    /// The `_id`s of the new sources.
    inserted: Vec<Bson>,
    updated: UpdatedSources,
}

/// The sources that existed before, as far as an update identifies the sources.
#[derive(Debug, Default)]
enum UpdatedSources {
    #[default]
    None,
    /// One source, with the copied fields after the update.
    One(Document),
    /// The sources with the mark of the write.
    Marked,
    /// The source with the mark of the write, which an upsert may have inserted.
    Upserted,
}

impl Writing {
    pub(in crate::derived::copies) fn new(definition: &'static ModelDefinition, start: &WriteStart) -> Self {
        let following = start.propagation.clone();
        Writing {
            definition,
            mark: if following.later { PendingMarker::deferred() } else { PendingMarker::new() },
            held: Vec::new(),
            read: HashMap::new(),
            intents: None,
            unseen: Vec::new(),
            propagated: Vec::new(),
            sets_copied: false,
            sources: WrittenSources::default(),
            asked: Document::new(),
            marked: match start.kind {
                WriteKind::InsertOne => MarkedHolders::One,
                _ => MarkedHolders::Several,
            },
            kind: start.kind,
            // An update of many leaves out no document: the re-check repairs an older copy, and no document is written
            // twice.
            manner: match start.kind {
                WriteKind::Bulk | WriteKind::Update(Reach::All) => Manner::InBulk,
                _ => Manner::Alone,
            },
            following,
        }
    }

    /// Prepares an update in the form of the server: adds copies to the written references, and marks to the changed
    /// fields. Returns `false` for an update that touches no copy and no copied field.
    pub(in crate::derived::copies) fn fill_touched<'a>(
        &'a mut self,
        context: &'a Context,
        spec: &'a mut UpdateSpec,
    ) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            if !spec.upsert && !concern_copies(self.definition, &spec.touched) {
                return Ok(false);
            }
            self.fill_update(context, spec, self.manner).await?;
            Ok(!self.is_nothing())
        })
    }

    /// Adds copies and marks to documents that are to be inserted. `known` is a source that was read already.
    pub(in crate::derived::copies) fn fill_inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        known: Option<&'a SourceRead>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let context = &context.majority();
            // In a transaction an intent would become visible no earlier than the holders.
            let intends = documents.len() >= INTENT_FEWEST && self.kind != WriteKind::Bulk && !context.in_transaction();
            let mark = (!intends).then_some(self.mark);
            for path in paths_into(self.definition) {
                let of_this = known.filter(|known| known.model == path.source.name);
                let of_this: Used = of_this.map(|known| (Key::of(&known.id), known.clone())).into_iter().collect();
                let mut known_here = self.used(&path);
                known_here.push(&of_this);
                let used = fill::documents(context, &path, documents, mark, &known_here).await?;
                if let Some((used, holders)) = used {
                    self.hold(Held { path, used, holders, guarded: false, partial: false });
                }
            }
            let paths: Vec<&str> = self.held.iter().map(|held| held.path.name.as_str()).collect();
            self.intents = (intends && !paths.is_empty()).then(|| Intents::of(documents, &paths));
            let propagated = paths_from(self.definition);
            if !propagated.is_empty() {
                for document in &mut *documents {
                    document.extend(propagated.iter().map(|path| (path.source_mark(), Bson::from(self.mark))));
                }
                self.sources.inserted.extend(documents.iter().filter_map(|document| document.get("_id").cloned()));
                self.propagated = propagated;
            }
            Ok(())
        })
    }

    /// Stores the intents directly before the documents are inserted.
    pub(in crate::derived::copies) async fn intend(&mut self, context: &Context) -> Result<()> {
        match &mut self.intents {
            Some(intents) => intents.write(context, self.definition).await,
            None => Ok(()),
        }
    }

    /// Adds copies and marks to an update.
    pub(in crate::derived::copies) fn fill_update<'a>(
        &'a mut self,
        context: &'a Context,
        spec: &'a mut UpdateSpec,
        manner: Manner,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            self.asked = spec.filter.clone();
            let mut sets_copied = false;
            for path in paths_from(self.definition) {
                let operator = match spec.touched.iter().any(|touched| path.copies_from(touched)) {
                    true => Operator::Set,
                    false if spec.upsert => Operator::SetOnInsert,
                    false => continue,
                };
                sets_copied |= operator == Operator::Set;
                spec.changes.put(operator, path.source_mark(), self.mark);
                if !self.propagated.iter().any(|other| other.name == path.name) {
                    self.propagated.push(path);
                }
            }
            self.sets_copied |= sets_copied;
            if sets_copied {
                spec.changes.put(Operator::CurrentDate, VERSION, doc! { "$type": "timestamp" });
            }
            let majority = context.majority();
            let paths = paths_into(self.definition);
            pull::by_own_fields(&paths, &mut spec.changes)?;
            for path in paths {
                let known = self.used(&path);
                if let Some(filled) = fill::update(&majority, &path, spec, self.mark, manner, &known).await? {
                    let fill::Filled { used, guarded, partial } = filled;
                    self.hold(Held { path, used, holders: HoldersOf::new(), guarded, partial });
                    continue;
                }
                if !spec.upsert {
                    continue;
                }
                match fill::of_filter(&majority, &path, spec, self.mark, &known).await? {
                    Some(used) => {
                        self.hold(Held { path, used, holders: HoldersOf::new(), guarded: false, partial: false })
                    }
                    None if path.synced => {
                        spec.changes.put(Operator::SetOnInsert, path.holder_mark(), self.mark);
                        if !self.unseen.iter().any(|other| other.name == path.name) {
                            self.unseen.push(path);
                        }
                    }
                    None => {}
                }
            }
            Ok(())
        })
    }

    /// Returns the sources that the write has read for a path.
    fn used(&self, path: &CopyPath) -> Vec<&Used> {
        let held = self.held.iter().filter(|held| held.path.name == path.name);
        held.map(|held| &held.used).chain(self.read.get(&path.name)).collect()
    }

    /// Reads the sources of many updates at once, before each update is filled.
    pub(in crate::derived::copies) async fn read_sources(
        &mut self,
        context: &Context,
        updates: &mut [UpdateSpec],
    ) -> Result<()> {
        let majority = context.majority();
        for path in paths_into(self.definition) {
            let read = fill::read_of_updates(&majority, &path, updates).await?;
            self.read.insert(path.name, read);
        }
        Ok(())
    }

    fn hold(&mut self, held: Held) {
        match self.held.iter_mut().find(|there| there.path.name == held.path.name) {
            _ if !held.path.synced => {}
            Some(there) => {
                there.used.extend(held.used);
                there.guarded |= held.guarded;
                there.partial |= held.partial;
            }
            None => self.held.push(held),
        }
    }

    fn is_nothing(&self) -> bool {
        self.propagated.is_empty() && self.held.is_empty() && self.unseen.is_empty()
    }

    pub(in crate::derived::copies) fn note_outcome(&mut self, outcome: &Outcome) {
        match &outcome.upserted_id {
            Some(id) => self.sources.inserted.push(id.clone()),
            None => {
                self.unseen.clear();
                if outcome.matched > 0 {
                    self.note_marked();
                }
            }
        }
    }

    /// Notes that existing sources may have the mark of the write.
    pub(in crate::derived::copies) fn note_marked(&mut self) {
        if self.sets_copied {
            self.sources.updated = UpdatedSources::Marked;
        }
    }

    /// Notes the result of the updates of a bulk.
    pub(in crate::derived::copies) fn note_bulk(&mut self, upserted: impl IntoIterator<Item = Bson>) {
        self.sources.inserted.extend(upserted);
        self.note_marked();
    }

    /// Does the work after the write; in a transaction, the work after the commit. Updates that share a transaction
    /// first propagate their sources in the transaction.
    pub(in crate::derived::copies) fn finish<'a>(self, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            if self.kind == WriteKind::SharedUpdates && context.in_transaction() {
                self.sweep_shared(context).await?;
            }
            context.once_written(|context| Box::pin(async move { self.complete(&context).await })).await
        })
    }

    /// Re-checks the filled copies, and propagates the changed sources. The write itself is done, so a failure leaves
    /// marks. After a broken connection the work runs once more: all steps may be done twice, and the driver sends an
    /// update of many only once.
    async fn complete(&self, context: &Context) -> Result<()> {
        let followed = match Box::pin(self.follow(context)).await {
            Err(Error::Connection { .. }) => Box::pin(self.follow(context)).await,
            followed => followed,
        };
        followed.map_err(|error| self.pending(error))
    }

    fn pending(&self, source: Error) -> Error {
        let (collection, document) = (self.definition.collection, StoredDocument::default());
        Error::CopiesPending { collection, document, source: Box::new(source) }
    }

    async fn follow(&self, context: &Context) -> Result<()> {
        self.look(context).await?;
        if self.following.later { Ok(()) } else { Box::pin(self.propagate(context)).await }
    }

    async fn look(&self, context: &Context) -> Result<()> {
        // The futures are boxed: the futures of the driver are large, and would be a part of the future of every write.
        for Held { path, used, partial, holders, .. } in &self.held {
            if self.intents.is_some() {
                settle::look_by_ids(context, path, holders, used).await?;
            } else if *partial {
                let marked = doc! { path.holder_mark(): self.mark };
                settle::look_at_marked(context, path, marked).await?;
            } else {
                settle::look(context, path, self.mark, used, self.marked).await?;
            }
        }
        if let Some(intents) = &self.intents {
            intents.forget(context).await;
        }
        for path in &self.unseen {
            let marked = doc! { path.holder_mark(): self.mark };
            settle::look_at_marked(context, path, marked).await?.refused.none()?;
        }
        Ok(())
    }
}

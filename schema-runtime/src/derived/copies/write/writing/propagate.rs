//! Propagates the values of a changed source to the holders: in one transaction with the write, where the fan-out is
//! bounded and the server has transactions; otherwise after the write, in chunks. In both cases the sweep after the
//! write finds the holders that were inserted meanwhile, and then the marks are cleared.

use std::{collections::HashSet, ops::ControlFlow};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};

use super::{UpdatedSources, Writing};
use crate::{
    changes::UpdateSpec,
    derived::{
        copies::{
            stored::model_paths::in_transaction,
            stored::path::{CopyPath, Swept, VERSION},
            stored::source::{self, version_of},
            write::clears::{clearing, leave_to_recover},
            write::exceeded,
            write::settle::MarkedHolders,
            write::sweep::{sweep, sweep_in_chunks},
        },
        effect::Returns,
        refused::{Refused, send_all, send_through},
        throttle::Throttle,
    },
    error::{Error, Limit, Result, code, server},
    executor::{Context, Outcome, UpdateRequest},
    key::Key,
    limits::{INSERTED_SOURCES, PROPAGATED_SOURCES, TRANSACTION_COPIES},
    read::{self, Aggregate, Query},
    transaction,
};

/// Returns whether the server has ended a transaction that was open for too long.
fn is_over(error: &Error) -> bool {
    match error {
        Error::TimedOut { limit: Limit::Transaction } => true,
        Error::Driver(error) => code::command_code(error).is_some_and(|code| code::ENDED_TRANSACTIONS.contains(&code)),
        _ => false,
    }
}

impl Writing {
    /// Updates one document that matches.
    pub(in crate::derived::copies) fn update_one<'a>(
        &'a mut self,
        context: &'a Context,
        spec: UpdateSpec,
    ) -> BoxFuture<'a, Result<Outcome>> {
        Box::pin(async move {
            self.marked = MarkedHolders::One;
            if self.propagated.is_empty() || spec.upsert {
                let updated = context.majority().update_one(self.definition.collection, spec.into_request()).await;
                let outcome = Outcome::from(updated.map_err(|error| server::write(self.definition, error))?);
                self.note_outcome(&outcome);
                return Ok(outcome);
            }
            let fields = source::fields(&self.propagated);
            let found = self.find_one_and_update(context, spec, Returns::After, fields).await?;
            let matched = u64::from(found.is_some());
            Ok(Outcome { matched, modified: matched, upserted_id: None })
        })
    }

    /// Updates one document that matches, and returns the document in the state before or after the update.
    pub(in crate::derived::copies) fn find_one_and_update<'a>(
        &'a mut self,
        context: &'a Context,
        spec: UpdateSpec,
        returns: Returns,
        fields: Document,
    ) -> BoxFuture<'a, Result<Option<RawDocumentBuf>>> {
        Box::pin(async move {
            self.marked = MarkedHolders::One;
            let is_exceeded = exceeded::is_any(context, &self.propagated);
            if self.is_atomic() && !spec.upsert && !context.in_transaction() && !is_exceeded {
                match Box::pin(self.with_its_copies(context, &spec, returns, &fields)).await {
                    Err(Error::NotReplicaSet) => {}
                    Err(error) if is_over(&error) => {
                        self.propagated.iter().for_each(|path| exceeded::keep(context, path));
                    }
                    other => return other,
                }
            }
            let after = returns == Returns::After;
            let majority = context.majority();
            let (collection, upsert) = (self.definition.collection, spec.upsert);
            let found = majority.find_one_and_update(collection, spec.into_request(), after, fields).await;
            let found = found.map_err(|error| server::write(self.definition, error))?;
            let inside = context.in_transaction();
            let complete = found.as_ref().filter(|_| (after || inside) && !upsert && !self.propagated.is_empty());
            if let Some(document) = complete {
                let document = match after {
                    true => Document::try_from(&**document).map_err(Error::encode)?,
                    false => Box::pin(self.reread(context, document)).await?,
                };
                if inside && !self.following.later {
                    Box::pin(self.sweep_inside(context, &document)).await?;
                }
                self.sources.updated = UpdatedSources::One(document);
            } else if upsert {
                // The answer does not tell an insert from an update: both kinds have the mark.
                self.sources.updated = UpdatedSources::Upserted;
            } else if found.is_some() {
                self.sources.updated = UpdatedSources::Marked;
            }
            if found.is_some() && !upsert {
                self.unseen.clear();
            }
            Ok(found)
        })
    }

    /// Returns the source with a mark of the write. A concurrent writer may have replaced the mark of one path.
    async fn marked(&self, context: &Context) -> Result<Vec<Bson>> {
        let Some(filter) = self.with_mark() else { return Ok(Vec::new()) };
        Ok(Query::new(self.definition.collection, filter).first_id(context).await?.into_iter().collect())
    }

    /// Returns the filter of the sources with a mark of the write; `None` when the write propagates nothing.
    fn with_mark(&self) -> Option<Document> {
        let marks: Vec<Document> = self.propagated.iter().map(|path| doc! { path.source_mark(): self.mark }).collect();
        (!marks.is_empty()).then(|| doc! { "$or": marks })
    }

    /// Returns whether one transaction can propagate the write and all copies of the write.
    fn is_atomic(&self) -> bool {
        !self.propagated.is_empty() && !self.following.later && in_transaction(&self.propagated).is_some()
    }

    /// Writes the source and the copies in one transaction.
    async fn with_its_copies(
        &mut self,
        context: &Context,
        spec: &UpdateSpec,
        returns: Returns,
        fields: &Document,
    ) -> Result<Option<RawDocumentBuf>> {
        let (this, sent, after) = (&*self, &spec.clone().into_request(), returns == Returns::After);
        let written = transaction::write_transaction(context, |tx| async move {
            let inside = &tx.context;
            let found = inside.find_one_and_update(this.definition.collection, sent.clone(), after, fields.clone());
            let found = found.await.map_err(|error| server::write(this.definition, error))?;
            let Some(found) = found else { return Ok(None) };
            let document = match after {
                true => Document::try_from(&*found).map_err(Error::encode)?,
                false => this.reread(inside, &found).await?,
            };
            this.sweep_inside(inside, &document).await?;
            Ok(Some((found, document)))
        })
        .await?;
        Ok(written.map(|(found, document)| {
            self.sources.updated = UpdatedSources::One(document);
            self.unseen.clear();
            found
        }))
    }

    /// Reads the document again, after an update that returned the document in the state before.
    async fn reread(&self, context: &Context, before: &RawDocumentBuf) -> Result<Document> {
        let id = read::id(before).unwrap_or(Bson::Null);
        let mut query = Query::by_id(self.definition.collection, id);
        query.projection = source::fields(&self.propagated);
        match query.first(context).await? {
            Some(document) => Document::try_from(&*document).map_err(Error::encode),
            None => Err(Error::not_found(self.definition)),
        }
    }

    /// Sweeps, inside of the transaction, the paths that one transaction propagates.
    async fn sweep_inside(&self, context: &Context, document: &Document) -> Result<()> {
        let Some(source) = swept(document) else { return Ok(()) };
        for path in self.propagated.iter().filter(|path| path.fan_out.is_some_and(|most| most <= TRANSACTION_COPIES)) {
            sweep(context, path, source, &Throttle::new()).await?.none()?;
        }
        Ok(())
    }

    /// Sweeps the sources with the mark of the write, inside of the transaction of the updates.
    pub(super) async fn sweep_shared(&self, context: &Context) -> Result<()> {
        let Some(filter) = self.with_mark() else { return Ok(()) };
        let mut query = Query::new(self.definition.collection, filter);
        query.projection = source::fields(&self.propagated);
        query.projection.extend(self.propagated.iter().map(|path| (path.source_mark(), Bson::Int32(1))));
        let documents = query.all(context).await?;
        let mark = Bson::from(self.mark);
        for path in &self.propagated {
            let marked = documents.iter().filter(|document| document.get(path.source_mark()) == Some(&mark));
            send_all(context, path.holder, statements(path, marked)).await?;
        }
        Ok(())
    }

    /// Propagates the sources of the write. A refused holder is an error: all remaining holders have their copies, and
    /// the source stays marked.
    pub(super) async fn propagate(&self, context: &Context) -> Result<()> {
        Box::pin(self.propagate_inserted(context, &self.sources.inserted)).await?;
        match &self.sources.updated {
            UpdatedSources::None => Ok(()),
            UpdatedSources::One(document) => self.propagate_one(context, document).await,
            UpdatedSources::Marked => self.propagate_all_marked(context).await,
            UpdatedSources::Upserted => {
                let upserted = self.marked(context).await?;
                Box::pin(self.propagate_inserted(context, &upserted)).await
            }
        }
    }

    async fn propagate_one(&self, context: &Context, document: &Document) -> Result<()> {
        let Some(source) = swept(document) else { return Ok(()) };
        self.sweep_all(context, source).await?.none()?;
        self.clear(context, doc! { "_id": { "$eq": source.id } }).await;
        Ok(())
    }

    async fn propagate_all_marked(&self, context: &Context) -> Result<()> {
        for path in &self.propagated {
            let marked = doc! { path.source_mark(): self.mark };
            propagate_marked(context, path, marked, &self.following.throttle()).await?.refused.none()?;
        }
        Ok(())
    }

    async fn sweep_all(&self, context: &Context, source: Swept<'_>) -> Result<Refused> {
        let mut refused = Refused::default();
        for path in &self.propagated {
            refused.add(sweep(context, path, source, &self.following.throttle()).await?);
        }
        Ok(refused)
    }

    /// Propagates inserted sources. An earlier source may have had the same `_id`, and holders may have copies of the
    /// earlier source.
    async fn propagate_inserted(&self, context: &Context, ids: &[Bson]) -> Result<()> {
        // One command clears the mark for all sources when no further source has the mark.
        let is_alone = ids.len() > INSERTED_SOURCES && matches!(self.sources.updated, UpdatedSources::None);
        for ids in ids.chunks(INSERTED_SOURCES) {
            let mut held: HashSet<Key> = HashSet::new();
            for path in &self.propagated {
                held.extend(referred_to(context, path, ids).await?);
            }
            let of_before: Vec<&Bson> = ids.iter().filter(|id| held.contains(&Key::of(id))).collect();
            if let [id] = of_before[..] {
                let paths: Vec<&CopyPath> = self.propagated.iter().collect();
                if let Some(document) = source::touch(context, &paths, id, self.mark).await?
                    && let Some(source) = swept(&document)
                {
                    self.sweep_all(context, source).await?.none()?;
                }
            } else if !of_before.is_empty() {
                self.give_versions(context, &of_before).await?;
                for path in &self.propagated {
                    let marked = doc! { "_id": { "$in": &of_before }, path.source_mark(): self.mark };
                    propagate_marked(context, path, marked, &self.following.throttle()).await?.refused.none()?;
                }
            }
            if !is_alone {
                self.clear(context, doc! { "_id": { "$in": ids } }).await;
            }
        }
        if is_alone {
            self.clear(context, Document::new()).await;
        }
        Ok(())
    }

    /// Gives a version to the given sources that still have a mark of the write. A concurrent writer gives a version of
    /// its own.
    async fn give_versions(&self, context: &Context, ids: &[&Bson]) -> Result<()> {
        let marks = self.propagated.iter().map(|path| doc! { path.source_mark(): self.mark });
        let sent = UpdateRequest {
            filter: doc! { "_id": { "$in": ids }, "$or": marks.collect::<Vec<_>>() },
            update: doc! { "$currentDate": { VERSION: { "$type": "timestamp" } } },
            ..UpdateRequest::default()
        };
        let written = context.majority().update_many(self.definition.collection, sent).await;
        written.map(drop).map_err(|error| server::write(self.definition, error))
    }

    /// Clears the marks that still belong to the write. All copies are right by now: marks that cannot be cleared are
    /// left to `recover`, and are no error of the write.
    async fn clear(&self, context: &Context, filter: Document) {
        let cleared = match self.send_clears(context, &filter).await {
            Err(Error::Connection { .. }) => self.send_clears(context, &filter).await,
            cleared => cleared,
        };
        leave_to_recover(cleared);
    }

    async fn send_clears(&self, context: &Context, filter: &Document) -> Result<()> {
        let clears = self.propagated.iter().map(|path| {
            let mut filter = filter.clone();
            filter.insert(path.source_mark(), self.mark);
            (clearing(path, filter), true)
        });
        send_all(context, self.definition, clears.collect()).await
    }
}

/// The result of the propagation of marked sources.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    pub(crate) sources: u64,
    pub(crate) refused: Refused,
}

/// Propagates the marked sources that match the filter, and clears the marks of the read. A source with a refused
/// holder stays marked.
pub(crate) fn propagate_marked<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    marked: Document,
    throttle: &'a Throttle,
) -> BoxFuture<'a, Result<Carried>> {
    Box::pin(async move {
        let mut query = Query::new(path.source.collection, marked);
        query.projection = source::fields([path]);
        query.projection.insert(path.source_mark(), 1);
        query.batch_size = PROPAGATED_SOURCES;
        let mut batches = query.batches(context).await?;
        let mut propagated = Carried::default();
        while let Some(batch) = batches.next().await {
            let mut documents = read::parsed_in(&batch?)?;
            propagated.sources += documents.len() as u64;
            documents.retain(|document| swept(document).is_some());
            let mut alone: Vec<usize> = (0..documents.len()).collect();
            if path.fan_out.is_some() || (documents.len() > 1 && have_few_holders(context, path, &documents).await?) {
                let refused = send_through(context, path.holder, statements(path, &documents)).await?;
                alone = refused.into_iter().map(|(at, _)| at).collect();
            }
            let mut stays = HashSet::new();
            for at in alone {
                let Some(source) = documents.get(at).and_then(swept) else { continue };
                let refused = sweep_in_chunks(context, path, source, throttle).await?;
                stays.extend((refused.documents > 0).then_some(at));
                propagated.refused.add(refused);
            }
            let done = documents.iter().enumerate().filter(|(at, _)| !stays.contains(at));
            let clears = done.filter_map(|(_, document)| {
                let mark = document.get(path.source_mark())?;
                let filter = doc! { "_id": document.get("_id")?.clone(), path.source_mark(): { "$eq": mark } };
                Some((clearing(path, filter), false))
            });
            let clears = clears.collect();
            send_all(context, path.source, clears).await?;
        }
        Ok(propagated)
    })
}

/// Returns the given sources that have holders, as the primary has the holders. A holder without a majority may have
/// been written while the source was missing.
pub(crate) fn referred_to<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    ids: &'a [Bson],
) -> BoxFuture<'a, Result<HashSet<Key>>> {
    Box::pin(async move {
        let context = &context.newest();
        let reference = path.reference_path();
        let refer = doc! { &reference: { "$in": ids } };
        let Some(array) = path.array() else {
            let found = context.distinct(path.holder.collection, reference, refer).await?;
            return Ok(found.iter().map(Key::of).collect());
        };
        // A `distinct` would also send all further references of each holder.
        let pipeline = vec![
            doc! { "$match": refer.clone() },
            doc! { "$unwind": format!("${array}") },
            doc! { "$match": refer },
            doc! { "$group": { "_id": format!("${reference}") } },
        ];
        let mut found = HashSet::new();
        let visit = |group: &RawDocument| {
            found.extend(read::key(group));
            Ok(ControlFlow::Continue(()))
        };
        Aggregate { collection: Some(path.holder.collection), pipeline }.for_each(context, visit).await?;
        Ok(found)
    })
}

/// Returns whether one command can write all holders of the given sources.
async fn have_few_holders(context: &Context, path: &CopyPath, sources: &[Document]) -> Result<bool> {
    let ids: Vec<&Bson> = sources.iter().filter_map(|source| source.get("_id")).collect();
    let refer = doc! { path.reference_path(): { "$in": ids } };
    Ok(context.count(path.holder.collection, refer, 0, TRANSACTION_COPIES + 1).await? <= TRANSACTION_COPIES)
}

fn statements<'d>(path: &CopyPath, sources: impl IntoIterator<Item = &'d Document>) -> Vec<(UpdateRequest, bool)> {
    sources.into_iter().filter_map(swept).map(|source| (path.statement(source, doc! {}), true)).collect()
}

/// Returns the source in the form of a sweep; `None` before the first version.
fn swept(document: &Document) -> Option<Swept<'_>> {
    debug_assert!(document.contains_key("_id") || !document.contains_key(VERSION));
    Some(Swept { id: document.get("_id")?, version: version_of(document)?, document })
}

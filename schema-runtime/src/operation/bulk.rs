//! Many writes of one model, in one command for each kind.

mod command;
mod fill;
mod report;

use std::{borrow::Borrow, fmt, marker::PhantomData};

use mongodb::bson::{DateTime, Document, RawDocumentBuf};
use serde::{Deserialize, Serialize};

use super::{
    effects::Effects,
    has_id, managed, replace,
    update::{ById, Many, One, Update},
    write,
};
use crate::{
    bounds::IntoId,
    codec,
    error::{Error, Result},
    executor::{Executor, Statement},
    field::{Field, Filter},
    model::{Insertable, Model, Updatable},
};

pub use report::{BulkCounts, BulkOutcome, BulkReport};

/// Many writes of the documents of `M`, put together before they are sent. See [the page](crate::manual::bulk).
///
/// ```
/// # use schema_runtime::prelude::*;
/// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "parts")]
/// # struct Part { #[serde(rename = "_id")] id: ObjectId, name: String, qty: i32 }
/// # async fn example(db: &Database, bolt: Part, nut: Part, id: ObjectId) -> Result<()> {
/// let bulk = Part::bulk()
///     .insert(&bolt)
///     .update(Part::update_by_id(id).inc(Part::F.qty, -1))
///     .replace(&nut)
///     .delete_many(Part::F.qty.lt(0));
/// let written = bulk.unordered().run(db).await?.complete()?;
/// println!("{} inserted, {} deleted", written.inserted, written.deleted);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written until `run` is awaited"]
pub struct Bulk<M> {
    writes: Vec<Write>,
    /// The first write that may not be sent: its position, and why.
    refused: Option<(usize, Error)>,
    /// How many writes were added.
    added: usize,
    ordered: bool,
    /// When its inserts are created.
    now: DateTime,
    model: PhantomData<fn() -> M>,
}

struct Write {
    kind: Kind,
    /// The document, or the write as the server takes it in a list of writes.
    statement: RawDocumentBuf,
    /// How many documents it must match: 1 for an update by `_id` and a replace, 0 for another update.
    must_match: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Insert,
    Update,
    Delete,
}

/// An element of `deletes`.
#[derive(Serialize, Deserialize)]
struct DeleteStatement {
    q: Document,
    /// 1, or 0 for all.
    limit: i32,
}

/// An update that gives no document back.
#[diagnostic::on_unimplemented(
    message = "a bulk write gives no documents back, so that `find_one_and_update` cannot be in it",
    label = "write `update`, `update_one` or `update_many` here"
)]
pub trait InBulk: sealed::Sealed {
    #[doc(hidden)]
    const MANY: bool;
    #[doc(hidden)]
    const BY_ID: bool;
}

impl InBulk for ById {
    const MANY: bool = false;
    const BY_ID: bool = true;
}

impl InBulk for One {
    const MANY: bool = false;
    const BY_ID: bool = false;
}

impl InBulk for Many {
    const MANY: bool = true;
    const BY_ID: bool = false;
}

mod sealed {
    use super::{ById, Many, One};

    pub trait Sealed {}
    impl Sealed for ById {}
    impl Sealed for One {}
    impl Sealed for Many {}
}

impl<M: Model> Bulk<M> {
    pub(super) fn new() -> Self {
        Bulk { writes: Vec::new(), refused: None, added: 0, ordered: true, now: DateTime::now(), model: PhantomData }
    }

    /// Inserts the value.
    pub fn insert(self, value: &M) -> Self
    where
        M: Insertable,
    {
        let now = self.now;
        self.add(Kind::Insert, None, || managed::timed::<M>(write::checked(value)?, now))
    }

    /// Inserts the values.
    pub fn insert_many(self, values: impl IntoIterator<Item: Borrow<M>>) -> Self
    where
        M: Insertable,
    {
        values.into_iter().fold(self, |bulk, value| bulk.insert(value.borrow()))
    }

    /// An update by `_id`, of one document that matches, or of all.
    pub fn update<K: InBulk>(self, update: Update<M, K>) -> Self
    where
        M: Updatable,
    {
        self.add(Kind::Update, Some(u64::from(K::BY_ID)), || {
            statement(&update.into_sent(K::BY_ID)?.into_statement(K::MANY))
        })
    }

    /// Puts the value in the place of the document with its `_id`.
    pub fn replace(self, value: &M) -> Self
    where
        M: Updatable,
    {
        self.add(Kind::Update, Some(1), || {
            let (q, u) = replace::in_bulk(value)?;
            statement(&Statement::new(q, u, false))
        })
    }

    /// Deletes the document with the value's `_id`.
    pub fn delete(self, value: &M) -> Self
    where
        M: Updatable,
    {
        self.delete_one(has_id(value.id()))
    }

    /// Deletes the document with this `_id`.
    pub fn delete_by_id<K>(self, id: impl IntoId<M, K>) -> Self
    where
        M: Updatable,
    {
        self.delete_one(has_id(&id.into_id()))
    }

    /// Deletes one document that matches.
    pub fn delete_one(self, filter: Filter<M>) -> Self
    where
        M: Updatable,
    {
        self.add_delete(filter, 1)
    }

    /// Deletes all documents that match.
    pub fn delete_many(self, filter: Filter<M>) -> Self
    where
        M: Updatable,
    {
        self.add_delete(filter, 0)
    }

    /// The writes do not depend on each other: all are tried, inserts first, then updates and replaces, then deletes, each kind
    /// in one command. Otherwise they are done in their order, and the first that fails is the last.
    pub fn unordered(self) -> Self {
        Bulk { ordered: false, ..self }
    }

    /// Sends the writes: one command for each kind, or for each run of a kind when ordered; more where there are over 100,000
    /// or the bytes are over 48 MB (inserts) or 16 MiB. No writes are no command.
    ///
    /// In a transaction a write that fails ends the transaction, and is the error. Otherwise it is in the report.
    ///
    /// # Errors
    /// [`Error::Bulk`] before anything is sent, with the position and the cause of a write that may not be sent, as
    /// [`Error::BoundExceeded`]; in a transaction, for any failure.
    pub async fn run(self, db: &impl Executor) -> Result<BulkReport<M::Id>> {
        let Bulk { mut writes, refused, added, ordered, .. } = self;
        let collection = M::DEFINITION.collection;
        if let Some((at, source)) = refused {
            let (index, source) = (Some(at), Box::new(source));
            return Err(Error::Bulk {
                collection,
                index,
                done: 0,
                failed: 1,
                not_tried: added - 1,
                unknown: 0,
                source,
            });
        }
        let mut context = db.context()?;
        let mut effects = Effects::default();
        if const { M::DEFINITION.has_copies() || M::DEFINITION.has_rollups() } && !writes.is_empty() {
            context = context.majority();
            effects = Box::pin(fill::fill::<M>(&context, &mut writes)).await?;
        }
        let marks_deletes = write::is_kept::<M>();
        let mut report = BulkReport::new(M::DEFINITION, writes.len());
        let batches =
            command::batches(writes.iter().map(|write| (write.kind, write.statement.as_bytes().len())), ordered);
        let by_id = writes
            .iter()
            .filter_map(|write| write.must_match)
            .try_fold(0, |sum, must| (must > 0).then_some(sum + must));
        let mut statements: Vec<_> = writes.into_iter().map(|write| Some(write.statement)).collect();
        for batch in batches {
            let of_batch = batch.positions.iter().filter_map(|at| statements[*at].take()).collect();
            let written = match batch.kind {
                Kind::Insert => context.insert_all(collection, of_batch, ordered).await,
                Kind::Update => context.update_all(collection, of_batch, ordered).await,
                // They are deleted once their parents are without them.
                Kind::Delete if marks_deletes => context.update_all(collection, of_batch, ordered).await,
                Kind::Delete => context.delete_all(collection, of_batch, ordered).await,
            };
            report.add(&batch, ordered, written);
            if report.is_stopped(ordered || context.in_transaction()) {
                break;
            }
        }
        if let Some(by_id) = by_id {
            report.count_unmatched(by_id);
        }
        if context.in_transaction()
            && report.is_stopped(true)
            && let Some(error) = report.take_error()
        {
            return Err(error);
        }
        let upserted = report.counts.upserted_ids.values().map(Field::to_bson);
        effects.note_bulk(upserted.collect::<Result<_>>()?);
        let finished = effects.finish_some(&context).await;
        // A failure of the writes themselves is in the report.
        if !report.is_stopped(true) {
            finished?;
        }
        Ok(report)
    }

    fn add_delete(self, filter: Filter<M>, limit: i32) -> Self {
        self.add(Kind::Delete, None, || statement(&DeleteStatement { q: filter.into_document()?, limit }))
    }

    fn add(mut self, kind: Kind, must_match: Option<u64>, statement: impl FnOnce() -> Result<RawDocumentBuf>) -> Self {
        self.added += 1;
        if self.refused.is_none() {
            match statement() {
                Ok(statement) => self.writes.push(Write { kind, statement, must_match }),
                Err(error) => self.refused = Some((self.writes.len(), error)),
            }
        }
        self
    }
}

fn statement(statement: &impl Serialize) -> Result<RawDocumentBuf> {
    codec::encode(statement).map_err(Error::encode)
}

impl<M> fmt::Debug for Bulk<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<_> = self.writes.iter().map(|write| write.kind).collect();
        formatter.debug_struct("Bulk").field("ordered", &self.ordered).field("writes", &kinds).finish()
    }
}

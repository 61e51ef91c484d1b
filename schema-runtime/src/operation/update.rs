//! Updates of one document or many documents, built before they are sent.

mod bounds;
mod by_id;
mod capacity;
mod command;
mod history;
mod inserted;
mod item;
mod nulls;
mod references;
mod write;

use std::{fmt, marker::PhantomData};

use futures_util::future::BoxFuture;
use mongodb::bson::Document;
use serde::de::DeserializeOwned;

use crate::{
    changes::{IfAbsent, Operator, Reach, UpdateSpec},
    definition::ModelDefinition,
    derived::effect::Returns,
    derived::throttle::{Propagation, Throttle},
    error::{Error, Result},
    executor::{Executor, Outcome, UpdateRequest},
    field::{
        Cap, Changeable, Changes, Filter, History, IntoValue, OneValue, Path, Token, UpdateOperators, class::Listed,
        history_of,
    },
    model::Model,
    read,
};

pub(super) use by_id::set_as_it_is;
use command::Command;
use history::{Entry, Recording};
pub(crate) use item::ItemUpdate;
pub(crate) use references::{References, change_references};
pub(super) use write::update_all;

/// An update of the documents of `M`. `K` selects the documents and the returned value. The changes are in
/// [`UpdateOperators`].
///
/// ```
/// # use schema_runtime::prelude::*;
/// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "parts")]
/// # struct Part {
/// #     #[serde(rename = "_id")] id: ObjectId, name: String, qty: i32, #[bound(max_items = 10)] tags: Vec<String>
/// # }
/// # async fn example(db: &Database, id: ObjectId) -> Result<()> {
/// Part::update_by_id(id).set(Part::F.name, "#5 grommet").inc(Part::F.qty, -1).execute(db).await?;
/// let emptied = Part::update_many(Part::F.qty.lt(0)).set(Part::F.qty, 0).execute(db).await?;
/// println!("{} were below zero", emptied.modified);
/// let part = Part::find_one_and_update(Part::F.name.eq("bolt")).push(Part::F.tags, "steel").fetch_after(db).await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written until `execute`, `fetch_before` or `fetch_after` is awaited"]
pub struct Update<M, K> {
    filter: Filter<M>,
    changes: Changes<M>,
    upsert: bool,
    following: Propagation,
    /// New entries of histories of intervals.
    entries: Vec<Entry>,
    kind: PhantomData<fn() -> K>,
}

/// The kind of an update of the document with an `_id`.
pub struct ById;

/// The kind of an update of one document that matches.
pub struct One;

/// The kind of an update of all documents that match.
pub struct Many;

/// The kind of an update that returns the one document that matches.
pub struct FindOneAnd;

/// The outcome of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Updated<I> {
    /// The number of documents that matched.
    pub matched: u64,
    /// The number of matched documents that were changed.
    pub modified: u64,
    /// The `_id` of the document that an upsert inserted.
    pub upserted_id: Option<I>,
}

impl<M: Model, K> Update<M, K> {
    pub(super) fn new(filter: Filter<M>) -> Self {
        let (changes, following, entries) = (Changes::new(), Propagation::default(), Vec::new());
        Update { filter, changes, upsert: false, following, entries, kind: PhantomData }
    }

    /// Inserts a document when no document matches, with the values that the filter gives by `eq` and the values that
    /// the update sets. A document without a value for a required field of the struct does not fit the struct: give the
    /// value with [`set_on_insert`](Update::set_on_insert).
    pub fn upsert(self) -> Self {
        Update { upsert: true, ..self }
    }

    /// Sets the speed at which the copies of the changed values are propagated, and the progress callback.
    pub fn throttle(mut self, throttle: Throttle) -> Self {
        self.following.throttle = Some(throttle);
        self
    }

    /// Defers the copies of the changed values: the sources of the copies are marked, and a worker that runs
    /// [`Schema::recover`](crate::Schema::recover) propagates the copies.
    pub fn defer_copies(mut self) -> Self {
        self.following.later = true;
        self
    }

    /// Adds operators in MongoDB's own syntax, as a way out. Nothing checks the operators, and only the validator holds
    /// the bounds.
    pub fn raw(mut self, update: Document) -> Self {
        self.changes.list.add_raw(update);
        self
    }

    /// Sets the field to the value if an [`upsert`](Update::upsert) inserts the document (`$setOnInsert`).
    pub fn set_on_insert<F>(mut self, _: F, value: impl IntoValue<F::Value>) -> Self
    where
        F: Token<Model = M, Access: Changeable, Path: OneValue>,
    {
        self.changes.list.add(Operator::SetOnInsert, &F::Path::NODE, value.into_value());
        self
    }

    /// Returns the update, and the updates of all documents that match that go before the update.
    pub(super) fn into_spec(self, reach: Reach) -> Result<(UpdateSpec, Vec<UpdateRequest>)> {
        if self.following.is_asked_for() {
            let message = "a bulk write propagates the copies of all writes together: give the `throttle` to the bulk \
                           write, and remove `defer_copies`";
            return Err(Error::Update { message: message.to_owned() });
        }
        if let Some(entry) = self.entries.first() {
            let message = format!(
                "a bulk write does not read the open entry of `{}`: record the entry by a separate update",
                entry.field.name
            );
            return Err(Error::Update { message });
        }
        Ok(self.into_command(reach)?.into_parts())
    }

    fn into_command(self, reach: Reach) -> Result<Command> {
        let Update { filter, changes, upsert, following, .. } = self;
        let if_absent = if upsert { IfAbsent::Insert } else { IfAbsent::Ignore };
        Command::new(M::DEFINITION, filter.into_document(), changes.list, if_absent, reach, following)?.sharded()
    }
}

impl<M: Model> Update<M, ById> {
    /// Puts the entry in its place in the `#[history(..)]`, and keeps the newest entries. In a history of intervals,
    /// the open entry ends when the new entry begins.
    ///
    /// Sends one `update` command (`$push` with `$each`, `$sort` and `$slice`). With intervals the list is read before
    /// the command, and read again where another client has changed the list in between.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// #[derive(Model, Serialize, Deserialize)]
    /// #[model(collection = "products")]
    /// struct Product {
    ///     #[serde(rename = "_id")]
    ///     id: ObjectId,
    ///     price: i64,
    ///     #[history(keep = 50, order = desc(date_start), interval(date_start, date_end))]
    ///     prices: Vec<Price>,
    /// }
    ///
    /// #[derive(Embed, Serialize, Deserialize)]
    /// struct Price {
    ///     cents: i64,
    ///     date_start: DateTime,
    ///     date_end: Option<DateTime>,
    /// }
    ///
    /// async fn reprice(db: &Database, id: ObjectId, cents: i64) -> Result<()> {
    ///     let price = Price { cents, date_start: DateTime::now(), date_end: None };
    ///     Product::update_by_id(id).set(Product::F.price, cents).record(Product::F.prices, &price).execute(db).await?;
    ///     Ok(())
    /// }
    ///
    /// async fn as_of(db: &Database, id: ObjectId, time: DateTime) -> Result<Option<i64>> {
    ///     let product = Product::get_by_id(db, id).await?;
    ///     Ok(product.prices_at(time).map(|price| price.cents))
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Error::IntervalOverlap`] where the entry would overlap another entry that has an end, or an entry that begins
    /// at the same time or later. An entry that does not end after its begin has the same error. Nothing is written
    /// then. An entry that begins now, by the clock of this client give or take a minute, begins a millisecond after an
    /// open entry of the same millisecond or of up to a minute later. Another client with a clock that is ahead may
    /// have recorded the open entry.
    pub fn record<F>(mut self, history: F, entry: impl IntoValue<<F::Class as Listed<F::Value>>::Item>) -> Self
    where
        F: Token<Model = M, Access: History, Path: OneValue>,
        F::Class: Listed<F::Value>,
    {
        let _ = history;
        let node = &F::Path::NODE;
        let Some((field, history)) = history_of::<M>(&node.join()) else { return self };
        match (history.interval, entry.into_value()) {
            (Some(_), Ok(_)) if self.entries.iter().any(|entry| entry.field.name == field.name) => {
                self.changes.list.refuse_twice("record", field.name);
            }
            (Some(_), Ok(value)) => self.entries.push(Entry { node, field, value }),
            (_, value) => self.changes.list.add_capped(node, value, Ok(Cap::of(field, history))),
        }
        self
    }

    /// Changes the document, by one `update` command.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when no document has the `_id`, unless the update is an upsert;
    /// [`Error::BoundExceeded`](crate::Error::BoundExceeded) before anything is sent, or when an array has no capacity:
    /// then nothing is written, and a second command finds the array.
    /// [`Error::DocumentInvalid`](crate::Error::DocumentInvalid) and
    /// [`Error::DuplicateKey`](crate::Error::DuplicateKey) from the server.
    pub fn execute(self, db: &impl Executor) -> impl Future<Output = Result<Updated<M::Id>>> + Send {
        if self.entries.is_empty() {
            return Updated::of(M::DEFINITION, by_id::update_one(db, self.into_command(Reach::ById)));
        }
        Updated::of(M::DEFINITION, self.into_recording().execute(db))
    }

    fn into_recording(self) -> Recording {
        let Update { filter, changes, upsert, following, entries, .. } = self;
        let no_upsert = || Error::Update { message: "an upsert records no interval: insert the document".to_owned() };
        let filter = if upsert { Err(no_upsert()) } else { filter.into_document() };
        Recording { definition: M::DEFINITION, filter, changes: changes.list, following, entries }
    }
}

impl<M: Model> Update<M, One> {
    /// Changes one document that matches and has capacity for the elements that the update adds to arrays, by one
    /// `update` command.
    ///
    /// # Errors
    /// The errors of an update by id, except that an update without a match is no error.
    pub fn execute(self, db: &impl Executor) -> impl Future<Output = Result<Updated<M::Id>>> + Send {
        Updated::of(M::DEFINITION, by_id::update_one(db, self.into_command(Reach::One)))
    }
}

impl<M: Model> Update<M, Many> {
    /// Changes all documents that match, by one `update` command. Before an update that makes an array with a bound
    /// longer, a command asks whether all documents have capacity; if not, nothing is written. A document that another
    /// writer fills between the two commands stays unchanged, and is not in [`matched`](Updated::matched).
    ///
    /// # Errors
    /// The errors of an update by id, except that an update without a match is no error. After an error of the server
    /// some documents may be changed, unless the update ran in a transaction.
    pub fn execute(self, db: &impl Executor) -> impl Future<Output = Result<Updated<M::Id>>> + Send {
        Updated::of(M::DEFINITION, write::update_many(db, self.into_command(Reach::All)))
    }
}

impl<M: Model> Update<M, FindOneAnd> {
    /// Changes one document that matches, and returns the document in the state before the change; `None` when no
    /// document matches or an upsert inserts the document. Sends one `findAndModify` command.
    ///
    /// # Errors
    /// The errors of an update by id, except that an update without a match is no error;
    /// [`Error::Decode`](crate::Error::Decode) when the document does not fit the struct, after the change.
    pub fn fetch_before(self, db: &impl Executor) -> impl Future<Output = Result<Option<M>>> + Send {
        read::decoded(
            M::DEFINITION.collection,
            write::find_one_and_update(db, self.into_command(Reach::Returned), Returns::Before),
        )
    }

    /// Changes one document that matches, and returns the document in the state after the change; `None` when no
    /// document matches.
    ///
    /// # Errors
    /// The errors of [`fetch_before`](Update::fetch_before).
    pub fn fetch_after(self, db: &impl Executor) -> impl Future<Output = Result<Option<M>>> + Send {
        read::decoded(
            M::DEFINITION.collection,
            write::find_one_and_update(db, self.into_command(Reach::Returned), Returns::After),
        )
    }
}

impl<M, K> UpdateOperators for Update<M, K> {
    type Model = M;

    fn changes(&mut self) -> &mut Changes<M> {
        &mut self.changes
    }
}

impl<I: DeserializeOwned> Updated<I> {
    async fn of(definition: &ModelDefinition, updated: BoxFuture<'_, Result<Outcome>>) -> Result<Self> {
        let Outcome { matched, modified, upserted_id } = updated.await?;
        let upserted_id = upserted_id.map(|id| read::decode_value(definition.collection, id)).transpose()?;
        Ok(Updated { matched, modified, upserted_id })
    }
}

impl<M, K> Clone for Update<M, K> {
    fn clone(&self) -> Self {
        let (filter, changes, following) = (self.filter.clone(), self.changes.clone(), self.following.clone());
        Update { filter, changes, upsert: self.upsert, following, entries: self.entries.clone(), kind: PhantomData }
    }
}

impl<M: Model, K> fmt::Debug for Update<M, K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Update").field("filter", &self.filter).field("changes", &self.changes).finish()
    }
}

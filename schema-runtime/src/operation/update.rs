//! Updates of one document or many documents, built before they are sent.

mod bounds;
mod by_id;
mod capacity;
mod command;
mod condition;
mod document;
mod guard;
mod history;
mod inserted;
mod item;
mod nulls;
mod references;
mod write;

use std::{fmt, marker::PhantomData, sync::Arc};

use futures_util::future::BoxFuture;
use mongodb::bson::Document;

use crate::{
    changes::{IfAbsent, Operator, Reach, UpdateSpec},
    definition::ModelDefinition,
    derived::effect::Returns,
    derived::throttle::{Propagation, Throttle},
    document::top_field,
    error::{Error, Result},
    executor::{Configurable, Executor, OperationOptions, Outcome, UpdateRequest},
    field::{Changes, Filter, Given, IntoValue, OneValue, Path, Revealable, SortKeys, Token, UpdateOperators},
    model::{Identifier, Model, shown_fields},
    page::sort_by,
    read,
};

pub(super) use by_id::set_as_it_is;
use command::Command;
use history::Entry;
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
    /// The condition on the document with the `_id`.
    condition: Option<Filter<M>>,
    /// The order in which the update looks for the document; empty for the order of the server.
    sort: Document,
    /// The projection document of a returned document.
    returned: Document,
    options: Option<Arc<OperationOptions>>,
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
        let (condition, sort, returned, options) = (None, Document::new(), shown_fields::<M>(), None);
        let kind = PhantomData;
        Update { filter, changes, upsert: false, following, entries, condition, sort, returned, options, kind }
    }

    /// Returns also the hidden field at this path.
    fn revealing(mut self, path: &str) -> Self {
        self.returned.remove(top_field(path));
        self
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
        F: Token<Model = M, Access: Given, Path: OneValue>,
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
        if self.options.is_some() {
            let message = "a bulk write has one set of options: give the options to the bulk write";
            return Err(Error::Update { message: message.to_owned() });
        }
        if self.condition.is_some() {
            let message = "a bulk write counts the documents that match, and does not tell a missing document from a condition that fails: write `update_one(filter)` with the `_id` and the condition";
            return Err(Error::Update { message: message.to_owned() });
        }
        let command = self.into_command(reach, Returns::Outcome)?;
        if command.has_expression() {
            let message = "a bulk write has no update by pipeline, as `set_expr` is: write a separate update";
            return Err(Error::Update { message: message.to_owned() });
        }
        Ok(command.into_parts())
    }

    /// Returns the options that choose the plan, as parts of the command.
    pub(super) fn plan(&self) -> Document {
        self.options.as_ref().map(|options| options.plan()).unwrap_or_default()
    }

    /// Returns the update without the commands of effects.
    pub(super) fn request(&self, reach: Reach) -> Result<UpdateRequest> {
        if let Some(entry) = self.entries.first() {
            let message = format!(
                "the update of `{}` depends on the stored document, so no single command is the update",
                entry.field.name
            );
            return Err(Error::Update { message });
        }
        Ok(self.clone().into_command(reach, Returns::Outcome)?.into_spec().into_request())
    }

    fn into_command(self, reach: Reach, returns: Returns) -> Result<Command> {
        let Update { filter, changes, upsert, following, condition, sort, returned, options, .. } = self;
        let if_absent = if upsert { IfAbsent::Insert } else { IfAbsent::Ignore };
        let filter = filter.into_document();
        let command = Command::new(M::DEFINITION, filter, changes.list, if_absent, reach, following)?;
        let command = command.sorted(sort).returning(returned).with(options);
        let command = match condition {
            Some(condition) => command.only_if(condition.into_document()?),
            None => command,
        };
        command.sharded(returns)
    }
}

impl<M: Model> Update<M, One> {
    /// Changes one document that matches and has capacity for the elements that the update adds to arrays, by one
    /// `update` command.
    ///
    /// # Errors
    /// The errors of an update by id, except that an update without a match is no error.
    pub fn execute(self, db: &impl Executor) -> impl Future<Output = Result<Updated<M::Id>>> + Send {
        Updated::of(M::DEFINITION, by_id::update_one(db, self.into_command(Reach::One, Returns::Outcome)))
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
        Updated::of(M::DEFINITION, write::update_many(db, self.into_command(Reach::All, Returns::Outcome)))
    }
}

impl<M: Model> Update<M, FindOneAnd> {
    /// Changes the first document in this order, as [`Find::sort`](super::Find::sort) takes the keys. An index on the
    /// fields of the filter and then the fields of the sort gives the document without a sort in memory.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "jobs")]
    /// # struct Job { #[serde(rename = "_id")] id: ObjectId, state: String, created: DateTime }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let oldest = Job::find_one_and_update(Job::F.state.eq("open")).sort(Job::F.created.asc());
    /// let job = oldest.set(Job::F.state, "taken").fetch_after(db).await?;
    /// # drop(job); Ok(())
    /// # }
    /// ```
    pub fn sort(self, keys: impl SortKeys<M>) -> Self {
        Update { sort: sort_by(&keys.into_paths()), ..self }
    }

    /// Also returns a hidden field (`#[hidden]`), as [`Find::reveal`](super::Find::reveal) also reads the field.
    pub fn reveal<F>(self, field: F) -> Self
    where
        F: Token<Model = M, Access: Revealable>,
    {
        let _ = field;
        self.revealing(&F::Path::NODE.join())
    }

    /// Changes one document that matches, and returns the document in the state before the change; `None` when no
    /// document matches or an upsert inserts the document. Sends one `findAndModify` command.
    ///
    /// # Errors
    /// The errors of an update by id, except that an update without a match is no error;
    /// [`Error::Decode`](crate::Error::Decode) when the document does not fit the struct, after the change.
    pub fn fetch_before(self, db: &impl Executor) -> impl Future<Output = Result<Option<M>>> + Send {
        read::decoded(
            M::DEFINITION.collection,
            write::find_one_and_update(db, self.into_command(Reach::Returned, Returns::Before), Returns::Before),
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
            write::find_one_and_update(db, self.into_command(Reach::Returned, Returns::After), Returns::After),
        )
    }
}

impl<M, K> Configurable for Update<M, K> {
    fn configure(mut self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        change(Arc::make_mut(self.options.get_or_insert_default()));
        self
    }
}

impl<M, K> UpdateOperators for Update<M, K> {
    type Model = M;

    fn changes(&mut self) -> &mut Changes<M> {
        &mut self.changes
    }
}

impl<I: Identifier> Updated<I> {
    async fn of(definition: &ModelDefinition, updated: BoxFuture<'_, Result<Outcome>>) -> Result<Self> {
        let Outcome { matched, modified, upserted_id } = updated.await?;
        let upserted_id =
            upserted_id.map(|id| read::decode_value(definition.collection, Some(&I::SHAPE), id)).transpose()?;
        Ok(Updated { matched, modified, upserted_id })
    }
}

impl<M, K> Clone for Update<M, K> {
    fn clone(&self) -> Self {
        let (filter, changes, following) = (self.filter.clone(), self.changes.clone(), self.following.clone());
        let (entries, condition) = (self.entries.clone(), self.condition.clone());
        let (sort, returned, options) = (self.sort.clone(), self.returned.clone(), self.options.clone());
        let (upsert, kind) = (self.upsert, PhantomData);
        Update { filter, changes, upsert, following, entries, condition, sort, returned, options, kind }
    }
}

impl<M: Model, K> fmt::Debug for Update<M, K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = &mut formatter.debug_struct("Update");
        fields.field("filter", &self.filter);
        if let Some(condition) = &self.condition {
            fields.field("condition", condition);
        }
        fields.field("changes", &self.changes).finish()
    }
}

//! Updates of the document with an `_id`: the entries of histories, the condition, and the returned document.

use futures_util::future::BoxFuture;
use mongodb::bson::RawDocumentBuf;

use super::{
    ById, Update, Updated, by_id,
    history::{Entry, Recording},
};
use crate::{
    changes::Reach,
    derived::effect::{Reply, Returns},
    error::{Error, Result},
    executor::{Executor, Outcome},
    field::{
        Cap, Filter, History, IntoValue, OneValue, Path, Revealable, Token, canonical_item, class::Listed, history_of,
    },
    model::Model,
    read,
};

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
    /// then. An entry that begins now, by the clock of this client give or take a minute, may meet a later open entry,
    /// by at most a minute. The new entry then begins a millisecond after the open entry. Another client with a clock
    /// that is ahead may have recorded the open entry.
    pub fn record<F>(mut self, history: F, entry: impl IntoValue<<F::Class as Listed<F::Value>>::Item>) -> Self
    where
        F: Token<Model = M, Access: History, Path: OneValue>,
        F::Class: Listed<F::Value>,
    {
        let _ = history;
        let node = &F::Path::NODE;
        let Some((field, history)) = history_of::<M>(&node.join()) else { return self };
        let entry = entry
            .into_value()
            .and_then(|entry| canonical_item(Some(&field.shape), entry).map_err(|misfit| misfit.at(field.name)));
        match (history.interval, entry) {
            (Some(_), Ok(_)) if self.entries.iter().any(|entry| entry.field.name == field.name) => {
                self.changes.list.refuse_twice("record", field.name);
            }
            (Some(_), Ok(value)) => self.entries.push(Entry { node, field, value }),
            (_, value) => self.changes.list.add_capped(node, value, Ok(Cap::of(field, history))),
        }
        self
    }

    /// Changes the document only if the document meets the condition, in the same command: of two clients that change a
    /// draft at the same time, one client wins. Several conditions must all hold.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")]
    /// # struct Post { #[serde(rename = "_id")] id: ObjectId, state: String }
    /// # async fn example(db: &Database, id: ObjectId) -> Result<()> {
    /// let publish = Post::update_by_id(id).only_if(Post::F.state.eq("draft")).set(Post::F.state, "published");
    /// match publish.execute(db).await {
    ///     Err(Error::ConditionFailed { .. }) => println!("the post is no draft"),
    ///     Err(Error::NotFound { .. }) => println!("no post has this `_id`"),
    ///     other => drop(other?),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// An update that matches nothing sends one or two reads more, for the reason: [`Error::ConditionFailed`] when the
    /// document does not meet the condition, and [`Error::NotFound`] when no document has the `_id`. Each answer was
    /// true at a moment of the call. When another client makes the condition true between the update and the reads, the
    /// update is sent again.
    ///
    /// An update with a condition is neither an upsert nor a part of a bulk: both are refused with [`Error::Update`]
    /// before anything is sent. An upsert would insert a second document with the `_id` where the condition fails, and
    /// a bulk write does not tell the two reasons apart.
    pub fn only_if(mut self, condition: Filter<M>) -> Self {
        self.condition = Some(match self.condition.take() {
            Some(earlier) => earlier.and(condition),
            None => condition,
        });
        self
    }

    /// Also returns a hidden field (`#[hidden]`) from [`fetch_before`](Update::fetch_before) and
    /// [`fetch_after`](Update::fetch_after), as [`Find::reveal`](crate::operation::Find::reveal) also reads the field.
    pub fn reveal<F>(self, field: F) -> Self
    where
        F: Token<Model = M, Access: Revealable>,
    {
        let _ = field;
        self.revealing(&F::Path::NODE.join())
    }

    /// Changes the document, by one `update` command.
    ///
    /// # Errors
    /// [`Error::NotFound`] when no document has the `_id`, unless the update is an upsert;
    /// [`Error::ConditionFailed`] when the document does not meet the condition of [`only_if`](Update::only_if);
    /// [`Error::BoundExceeded`] before anything is sent, or when an array has no capacity: then nothing is written, and
    /// a second command finds the array. [`Error::DocumentInvalid`] when an `inc`, a `dec`, a `mul` or a `set_expr`
    /// would break a limit: then nothing is written, and a second command finds the number. [`Error::DocumentInvalid`]
    /// and [`Error::DuplicateKey`] from the server.
    pub fn execute(self, db: &impl Executor) -> impl Future<Output = Result<Updated<M::Id>>> + Send {
        let replied = self.send(db, Returns::Outcome);
        let outcome: BoxFuture<'_, Result<Outcome>> = Box::pin(async move { Ok(replied.await?.into_outcome()) });
        Updated::of(M::DEFINITION, outcome)
    }

    /// Changes the document, and returns the document in the state before the change. Sends one `findAndModify`
    /// command.
    ///
    /// # Errors
    /// The errors of [`execute`](Update::execute); [`Error::Decode`] when the document does not fit the struct, after
    /// the change; [`Error::Update`] for an upsert, since an inserted document has no state before:
    /// `find_one_and_update` returns an `Option`. [`ShardingError::KeyMissing`](crate::ShardingError::KeyMissing) for a
    /// model whose shard key is not the `_id`, unless [`only_if`](Update::only_if) gives the whole key by `eq`.
    pub fn fetch_before(self, db: &impl Executor) -> impl Future<Output = Result<M>> + Send {
        self.fetch(db, Returns::Before)
    }

    /// Changes the document, and returns the document in the state after the change. Sends one `findAndModify` command.
    ///
    /// # Errors
    /// The errors of [`fetch_before`](Update::fetch_before). An upsert returns the inserted document.
    pub fn fetch_after(self, db: &impl Executor) -> impl Future<Output = Result<M>> + Send {
        self.fetch(db, Returns::After)
    }

    fn fetch(self, db: &impl Executor, returns: Returns) -> impl Future<Output = Result<M>> + Send {
        let replied = self.send(db, returns);
        let found: BoxFuture<'_, Result<Option<RawDocumentBuf>>> =
            Box::pin(async move { Ok(replied.await?.into_document()) });
        let decoded = read::decoded(M::DEFINITION.collection, found);
        async move { decoded.await?.ok_or_else(|| Error::not_found(M::DEFINITION)) }
    }

    fn send(self, db: &dyn Executor, returns: Returns) -> BoxFuture<'_, Result<Reply>> {
        if let Err(error) = self.refuse_upsert(returns) {
            return Box::pin(async { Err(error) });
        }
        if self.entries.is_empty() {
            return by_id::update(db, self.into_command(Reach::ById, returns), returns);
        }
        self.into_recording().execute(db, returns)
    }

    /// Refuses an upsert beside a part of the update that no inserted document has.
    fn refuse_upsert(&self, returns: Returns) -> Result<()> {
        let message = match returns {
            _ if !self.upsert => return Ok(()),
            _ if !self.entries.is_empty() => "an upsert records no interval: insert the document",
            _ if self.condition.is_some() => {
                "an upsert with a condition would insert a second document with the `_id` where the condition fails: take `upsert` or `only_if` away"
            }
            Returns::Before => {
                "an inserted document has no state before the upsert: write `fetch_after`, or `find_one_and_update`, which returns an `Option`"
            }
            Returns::Outcome | Returns::After => return Ok(()),
        };
        Err(Error::Update { message: message.to_owned() })
    }

    fn into_recording(self) -> Recording {
        let Update { filter, changes, following, entries, condition, returned, options, .. } = self;
        let condition = condition.map(Filter::into_document).transpose();
        let (filter, changes) = (filter.into_document(), changes.list);
        Recording { definition: M::DEFINITION, filter, condition, changes, following, entries, returned, options }
    }
}

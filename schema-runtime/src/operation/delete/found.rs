//! The delete of one document that the delete returns.

use derive_where::derive_where;
use futures_util::future::BoxFuture;
use mongodb::bson::{Document, RawDocument, RawDocumentBuf, doc};

use super::{delete, step_of};
use crate::{
    changes::Reach,
    definition::ModelDefinition,
    derived::effect_list::{self, EFFECTS},
    error::{Error, Result, server},
    executor::{Configurable, Context, Executor, OperationOptions, Selected},
    field::{self, Filter, Revealable, SortKeys, Token},
    model::{Model, Updatable},
    mongosh::ToMongosh,
    operation::{
        asked::asked_of,
        atomic::to_the_end,
        engine::{self, EngineWrite, Settled},
        selection::{Selection, context_of},
        sharded,
        write_effects::Effects,
    },
    read::{self, Query},
};

/// A delete of one document of `M` that matches a filter. The delete returns the document.
///
/// ```
/// # use schema_runtime::prelude::*;
/// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "jobs")]
/// # struct Job { #[serde(rename = "_id")] id: ObjectId, queue: String, created: DateTime }
/// # async fn example(db: &Database) -> Result<()> {
/// let oldest = Job::find_one_and_delete(Job::F.queue.eq("mail")).sort(Job::F.created.asc());
/// while let Some(job) = oldest.clone().fetch(db).await? {
///     println!("this worker alone has the job {}", job.id);
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is deleted until `fetch` is awaited"]
#[derive_where(Clone, Debug)]
pub struct FindOneAndDelete<M>(Selection<M>);

impl<M: Model + Updatable> FindOneAndDelete<M> {
    pub(in crate::operation) fn new(filter: Filter<M>) -> Self {
        FindOneAndDelete(Selection::new(filter))
    }

    /// Deletes the first document in this order, as [`Find::sort`](crate::operation::Find::sort) takes the keys. An
    /// index on the fields of the filter and then the fields of the sort gives the document without a sort in memory.
    pub fn sort(self, keys: impl SortKeys<M>) -> Self {
        FindOneAndDelete(self.0.sort(keys))
    }

    /// Also returns a hidden field (`#[hidden]`), as [`Find::reveal`](crate::operation::Find::reveal) also reads the
    /// field.
    pub fn reveal<F>(self, field: F) -> Self
    where
        F: Token<Model = M, Access: Revealable>,
    {
        let _ = field;
        FindOneAndDelete(self.0.reveal::<F>())
    }

    /// Deletes one document that matches, and returns the document; `None` when no document matches. Of many clients
    /// that delete at the same time, one client gets the document.
    ///
    /// Sends one `findAndModify` command. Where a delete has further work (delete rules, links, rollups of the parent,
    /// a tree), a transaction reads the document and deletes the document with all effects. A document that another
    /// client is deleting does not match.
    ///
    /// # Errors
    /// [`ShardingError::KeyMissing`](crate::ShardingError::KeyMissing) when the filter does not give the whole shard
    /// key; [`Error::DeleteRestricted`] when a child keeps the document; [`Error::NotReplicaSet`] where the delete
    /// needs a transaction; [`Error::Decode`] when the document does not fit the struct, after the delete. An error of
    /// a completed delete has the document: [`Error::document`].
    pub fn fetch(self, db: &impl Executor) -> impl Future<Output = Result<Option<M>>> + Send {
        let deleted = find_one_and_delete(db, M::DEFINITION, self.0.into_selected());
        read::decoded(M::DEFINITION.collection, deleted)
    }
}

/// The `findAndModify` command of a delete without effects.
impl<M: Model + Updatable> ToMongosh for FindOneAndDelete<M> {
    fn command(&self) -> Result<Document> {
        let selected = self.0.clone().into_selected()?;
        let plan = selected.plan();
        let mut command = selected.into_delete_command(M::DEFINITION.collection);
        command.extend(plan);
        Ok(command)
    }
}

impl<M> Configurable for FindOneAndDelete<M> {
    fn configure(self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        FindOneAndDelete(self.0.configure(change))
    }
}

fn find_one_and_delete<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    selected: Result<Selected>,
) -> BoxFuture<'a, Result<Option<RawDocumentBuf>>> {
    Box::pin(async move {
        let mut selected = selected?;
        let context = context_of(db, definition, selected.options.as_deref())?;
        sharded::require(definition, &selected.filter, Reach::Returned)?;
        for undeleted in effect_list::concerning(definition).filter_map(|effect| effect.undeleted(definition)) {
            selected.filter = field::and(selected.filter, undeleted);
        }
        to_the_end(context, definition, move |context| {
            Box::pin(async move { engine::run(&context, ReturnedDelete { definition, selected }).await })
        })
        .await
    })
}

/// A delete that returns the document, as a write of the engine.
#[derive(Clone)]
struct ReturnedDelete {
    definition: &'static ModelDefinition,
    selected: Selected,
}

impl EngineWrite for ReturnedDelete {
    type Prepared = Selected;
    type Answer = Option<RawDocumentBuf>;
    type Written = Option<RawDocumentBuf>;

    /// Returns whether an effect acts on the delete. The transaction keeps the read document unchanged until the
    /// delete.
    fn is_atomic(&self) -> bool {
        step_of(self.definition, EFFECTS).is_some()
    }

    async fn prepare(&mut self, _: &Context, _: u32) -> Result<(Selected, Effects)> {
        Ok((self.selected.clone(), Effects::default()))
    }

    async fn send(&mut self, context: &Context, selected: Selected, _: &mut Effects) -> Result<Option<RawDocumentBuf>> {
        let definition = self.definition;
        if !self.is_atomic() {
            let deleted =
                context.own(&asked_of(definition))?.find_one_and_delete(definition.collection, selected).await;
            return deleted.map_err(|error| server::write(definition, error));
        }
        let Selected { filter, sort, returned: projection, .. } = selected;
        let query = Query { sort, projection, ..Query::new(definition.collection, filter) };
        let Some(found) = query.first(context).await? else { return Ok(None) };
        let id = read::id(&found).ok_or_else(|| Error::not_found(definition))?;
        delete(context, definition, doc! { "_id": { "$eq": id } }, Reach::One).await?;
        Ok(Some(found))
    }

    async fn settle(
        &mut self,
        _: &Context,
        _: &mut Effects,
        answer: Result<Option<RawDocumentBuf>>,
    ) -> Result<Settled<Option<RawDocumentBuf>>> {
        answer.map(Settled::Done)
    }

    fn document(deleted: &Option<RawDocumentBuf>) -> Option<&RawDocument> {
        deleted.as_deref()
    }
}

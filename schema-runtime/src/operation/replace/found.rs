//! The replacement of one document that the replacement returns.

use derive_where::derive_where;
use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};

use super::{Put, checked, replacement, take_preserved};
use crate::{
    changes::Reach,
    codec,
    definition::ModelDefinition,
    derived::effect::Returns,
    document::equal_to,
    error::{Error, Result, server},
    executor::{Configurable, Context, Executor, OperationOptions, Selected},
    field::{Filter, Revealable, SortKeys, Token},
    key::Key,
    model::{Model, Updatable, without_hidden},
    mongosh::ToMongosh,
    operation::{
        asked::asked_of,
        atomic::{atomically_given, to_the_end},
        selection::{Selection, context_of},
        sharded,
    },
    read::{self, Query},
};

/// A replacement of one document of `M` that matches a filter. The replacement returns the document before or after the
/// replacement.
///
/// ```
/// # use schema_runtime::prelude::*;
/// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "plans")]
/// # struct Plan { #[serde(rename = "_id")] id: ObjectId, name: String, seats: i32 }
/// # async fn example(db: &Database, plan: &Plan) -> Result<()> {
/// let cheapest = Plan::find_one_and_replace(Plan::F.name.eq("old"), plan).sort(Plan::F.seats.asc());
/// if let Some(before) = cheapest.fetch_before(db).await? {
///     println!("the document {} has a new value", before.id);
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written until `fetch_before` or `fetch_after` is awaited"]
#[derive_where(Clone, Debug)]
pub struct FindOneAndReplace<M> {
    selection: Selection<M>,
    #[derive_where(skip(Debug))]
    value: Result<RawDocumentBuf>,
}

impl<M: Model + Updatable> FindOneAndReplace<M> {
    pub(in crate::operation) fn new(filter: Filter<M>, value: &M) -> Self {
        FindOneAndReplace { selection: Selection::new(filter), value: checked(value) }
    }

    /// Replaces the first document in this order, as [`Find::sort`](crate::operation::Find::sort) takes the keys. An
    /// index on the fields of the filter and then the fields of the sort gives the document without a sort in memory.
    pub fn sort(self, keys: impl SortKeys<M>) -> Self {
        FindOneAndReplace { selection: self.selection.sort(keys), ..self }
    }

    /// Also returns a hidden field (`#[hidden]`), as [`Find::reveal`](crate::operation::Find::reveal) also reads the
    /// field.
    pub fn reveal<F>(self, field: F) -> Self
    where
        F: Token<Model = M, Access: Revealable>,
    {
        let _ = field;
        FindOneAndReplace { selection: self.selection.reveal::<F>(), ..self }
    }

    /// Replaces one document that matches, and returns the document in the state before the replacement; `None` when no
    /// document matches.
    ///
    /// The stored document keeps the `_id`, the `#[immutable]` fields, `#[created_at]`, the `#[unversioned]` fields and
    /// each hidden field that the value has not loaded. The `#[version]` becomes one higher than the stored version: a
    /// condition on the version belongs into the filter.
    ///
    /// Sends one `findAndModify` command. For a model with derived data (copies, rollups, links, delete rules, slugs, a
    /// tree), a transaction reads the document and writes as [`replace`](crate::operation::Operations::replace) does.
    ///
    /// # Errors
    /// The errors of [`replace`](crate::operation::Operations::replace), without [`Error::NotFound`] and
    /// [`Error::VersionConflict`]; [`Error::Update`] when the filter names another `_id` or another shard key than the
    /// value, before anything is sent; [`ShardingError::KeyMissing`](crate::ShardingError::KeyMissing) when the filter
    /// does not give the whole shard key; [`Error::NotReplicaSet`] where the replacement needs a transaction;
    /// [`Error::Decode`] when the document does not fit the struct, after the replacement. An error of a completed
    /// replacement has the document: [`Error::document`].
    pub fn fetch_before(self, db: &impl Executor) -> impl Future<Output = Result<Option<M>>> + Send {
        self.fetch(db, Returns::Before)
    }

    /// Replaces one document that matches, as [`fetch_before`](FindOneAndReplace::fetch_before) does, and returns the
    /// stored document after the replacement.
    ///
    /// # Errors
    /// The errors of [`fetch_before`](FindOneAndReplace::fetch_before).
    pub fn fetch_after(self, db: &impl Executor) -> impl Future<Output = Result<Option<M>>> + Send {
        self.fetch(db, Returns::After)
    }

    fn fetch(self, db: &impl Executor, returns: Returns) -> impl Future<Output = Result<Option<M>>> + Send {
        let replaced = find_one_and_replace(db, M::DEFINITION, self.selection.into_selected(), self.value, returns);
        read::decoded(M::DEFINITION.collection, replaced)
    }
}

/// The `findAndModify` command of a model without derived data, which returns the document before the replacement.
impl<M: Model + Updatable> ToMongosh for FindOneAndReplace<M> {
    fn command(&self) -> Result<Document> {
        let selected = self.selection.clone().into_selected()?;
        let value = Document::try_from(&*self.value.clone()?).map_err(Error::encode)?;
        let plan = selected.plan();
        let request = selected.into_request(pipeline(M::DEFINITION, &value)?);
        let mut command = request.into_find_and_modify(M::DEFINITION.collection);
        command.extend(plan);
        Ok(command)
    }
}

impl<M> Configurable for FindOneAndReplace<M> {
    fn configure(self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        FindOneAndReplace { selection: self.selection.configure(change), ..self }
    }
}

fn find_one_and_replace<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    selected: Result<Selected>,
    value: Result<RawDocumentBuf>,
    returns: Returns,
) -> BoxFuture<'a, Result<Option<RawDocumentBuf>>> {
    Box::pin(async move {
        let (selected, value) = (selected?, value?);
        let context = context_of(db, definition, selected.options.as_deref())?;
        let value = Document::try_from(&*value).map_err(Error::encode)?;
        sharded::require(definition, &selected.filter, Reach::Returned)?;
        sharded::require_same(definition, &selected.filter, &value)?;
        refuse_other_id(&selected.filter, &value)?;
        if !definition.derives() {
            return replace_plain(&context, definition, selected, value, returns).await;
        }
        let replace = move |context: Context| -> BoxFuture<'static, Result<Option<RawDocumentBuf>>> {
            Box::pin(async move {
                let replace = |context: Context| -> BoxFuture<'_, Result<Option<RawDocumentBuf>>> {
                    let (selected, value) = (selected.clone(), value.clone());
                    Box::pin(async move { replace_derived(&context, definition, selected, value, returns).await })
                };
                let document: fn(&Option<RawDocumentBuf>) -> Option<&RawDocument> = |found| found.as_deref();
                atomically_given(&context, document, replace).await
            })
        };
        to_the_end(context, definition, replace).await
    })
}

/// Returns an error where the filter names another document than the value.
fn refuse_other_id(filter: &Document, value: &Document) -> Result<()> {
    match (equal_to(filter, "_id"), value.get("_id")) {
        (Some(asked), Some(held)) if Key::of(asked) != Key::of(held) => Err(Error::Update {
            message:
                "a replaced document keeps the `_id`, and the filter names another `_id` than the value: give the \
                      value this `_id`"
                    .to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Replaces the selected document of a model without derived data by one command.
async fn replace_plain(
    context: &Context,
    definition: &'static ModelDefinition,
    selected: Selected,
    value: Document,
    returns: Returns,
) -> Result<Option<RawDocumentBuf>> {
    let request = selected.into_request(pipeline(definition, &value)?);
    let context = context.own(&asked_of(definition))?;
    let after = returns == Returns::After;
    let replaced = context.find_one_and_update(definition.collection, request, after, Document::new()).await;
    replaced.map_err(|error| server::write(definition, error))
}

/// Returns the pipeline that puts the value into the place of a stored document.
fn pipeline(definition: &'static ModelDefinition, value: &Document) -> Result<Vec<Document>> {
    let Put { place, document } = put(definition, value)?;
    let mut document = Document::try_from(&*document).map_err(Error::encode)?;
    let mut stored = take_preserved(&place, &mut document);
    document.remove("_id");
    for field in definition.immutable() {
        document.remove(field.name);
        stored.insert(field.name, format!("${}", field.name));
    }
    if let Some((field, _)) = place.version {
        document.remove(field.name);
        stored.insert(field.name, doc! { "$add": [{ "$ifNull": [format!("${}", field.name), 0] }, 1] });
    }
    let merged = doc! { "$mergeObjects": [{ "_id": "$_id" }, { "$literal": document }, stored] };
    Ok(vec![doc! { "$replaceWith": merged }])
}

/// Replaces the selected document of a model with derived data, in a transaction.
async fn replace_derived(
    context: &Context,
    definition: &'static ModelDefinition,
    selected: Selected,
    mut value: Document,
    returns: Returns,
) -> Result<Option<RawDocumentBuf>> {
    let Selected { filter, sort, returned, .. } = selected;
    let query = Query { sort, projection: returned.clone(), ..Query::new(definition.collection, filter) };
    let Some(found) = query.first(context).await? else { return Ok(None) };
    let id = read::id(&found).ok_or_else(|| Error::not_found(definition))?;
    value.insert("_id", id.clone());
    for field in definition.immutable() {
        // A hidden field is not read, and counts as not loaded.
        value.remove(field.name);
        if let Some(stored) = found.get(field.name).map_err(Error::encode)? {
            value.insert(field.name, Bson::try_from(stored).map_err(Error::encode)?);
        }
    }
    if let Some(field) = definition.managed().version {
        value.insert(field.name, codec::integer(&found, field.name).unwrap_or_default());
    }
    let Put { place, document } = put(definition, &value)?;
    let after = replacement::replace(context, &place, &document).await?;
    match returns {
        Returns::Before => Ok(Some(found)),
        _ if returned == without_hidden(definition.fields) => Ok(Some(after)),
        // The caller also reads hidden fields.
        _ => Query { projection: returned, ..Query::by_id(definition.collection, id) }.first(context).await,
    }
}

fn put(definition: &'static ModelDefinition, value: &Document) -> Result<Put> {
    let id = value.get("_id").cloned().unwrap_or_default();
    Put::new(definition, Ok(id), codec::encode(value).map_err(Error::encode))
}

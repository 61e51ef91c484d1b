//! All reads of documents: a `find` or an `aggregate`; the documents arrive raw, in batches. Reaches the server; uses
//! `codec`, `error` and `executor`.

mod aggregate;
mod batch;
mod collated;
mod distinct;
mod documents;
mod grouped;
pub(crate) mod run;
mod unfit_value;
mod walk;
mod words;

pub(crate) use aggregate::Aggregate;
pub(crate) use batch::{Ids, documents_in, id, parsed_in};
pub(crate) use distinct::distinct;
pub use documents::Documents;
pub(crate) use grouped::{avg, count_by, extreme, sum};
use run::RawDocuments;
pub(crate) use walk::Walk;

use std::{any::type_name, fmt, ops::ControlFlow, sync::Arc};

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Bson, Document, RawDocument, RawDocumentBuf, doc},
    options::FindOptions,
};
use serde::de::DeserializeOwned;

use crate::{
    codec,
    definition::{CollationDefinition, FieldDefinition, Shape, Texts, hold_forms},
    document,
    error::{Error, Result, code},
    executor::{Asked, Context, OperationOptions, Replies},
    extra,
    field::{self, Record},
    key::Key,
    model::Model,
};

/// A `find`, as data; with stages in `over`, an `aggregate`.
#[derive(Clone, Default)]
pub(crate) struct Query {
    pub(crate) collection: &'static str,
    /// The stages before the search; empty for a search of the stored documents.
    pub(crate) over: Vec<Document>,
    pub(crate) filter: Document,
    /// The stages that keep documents by the related documents, after the filter and the sort.
    pub(crate) related: Vec<Document>,
    /// The number of documents that the server chooses at random; 0 for all.
    pub(crate) sample: u32,
    pub(crate) sort: Document,
    pub(crate) projection: Document,
    pub(crate) skip: u64,
    /// The most documents; 0 for all.
    pub(crate) limit: u64,
    /// The number of documents in one reply of the server; 0 for the server's choice (101, then 16 MB).
    pub(crate) batch_size: u32,
    /// True to read all documents as of one time, outside of a transaction too (read concern `snapshot`), where the
    /// server has such reads. For a `find` only.
    pub(crate) at_one_time: bool,
    /// The model whose documents the caller asks for; `None` where the query is one of several commands of the
    /// operation.
    pub(crate) asked: Option<Asked>,
    /// The options of the operation.
    pub(crate) options: Option<Arc<OperationOptions>>,
    /// True when the query finds documents by references to texts, which are equal by bytes alone.
    pub(crate) looks_up_texts: bool,
    /// The comparison of texts by the caller's read.
    pub(crate) texts: Texts,
    /// The collation that the server takes from the collection, for the tokens of pages of children.
    pub(crate) inherited: Option<CollationDefinition>,
}

/// Shows the query without the values.
impl fmt::Debug for Query {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let filter = document::without_values(&self.filter).to_string();
        let fields = &mut formatter.debug_struct("Query");
        fields.field("collection", &self.collection).field("filter", &format_args!("{filter}"));
        fields.field("sort", &self.sort).field("skip", &self.skip).field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// Checks a number of documents to skip: the server takes at most `i64::MAX`.
pub(crate) fn skipped(skip: u64) -> Result<u64> {
    let message = "the query skips more documents than `i64::MAX`, the most that the server takes";
    if i64::try_from(skip).is_err() { Err(Error::Query { message }) } else { Ok(skip) }
}

impl Query {
    pub(crate) fn new(collection: &'static str, filter: Document) -> Self {
        Query { collection, filter, ..Query::default() }
    }

    /// Returns the query of the documents with these `_id`s, in one reply where the documents fit. A single `_id` has
    /// the form that the server finds fastest.
    pub(crate) fn by_ids(collection: &'static str, ids: &[Bson]) -> Self {
        let filter = match ids {
            [id] => field::equal("_id".to_owned(), id.clone()),
            ids => doc! { "_id": { "$in": ids } },
        };
        Query { batch_size: ids.len() as u32 + 1, ..Query::new(collection, filter) }
    }

    /// Returns the query of the document with this `_id`.
    pub(crate) fn by_id(collection: &'static str, id: Bson) -> Self {
        Query::new(collection, field::equal("_id".to_owned(), id))
    }

    /// Limits the query to the documents behind the `_id` `last`, in the order of `_id`.
    pub(crate) fn behind(mut self, last: Option<&Bson>) -> Self {
        if let Some(last) = last {
            // An expression compares across types, as the sort does.
            let behind = doc! { "$expr": { "$gt": ["$_id", { "$literal": last.clone() }] } };
            self.filter = doc! { "$and": [self.filter, behind] };
        }
        Query { sort: doc! { "_id": 1 }, ..self }
    }

    /// Adds these paths to a projection. A query without a projection, and a query that only leaves out hidden fields,
    /// read the paths anyway. The server refuses a path inside of a path of the projection.
    pub(crate) fn also_project<'n>(&mut self, paths: impl IntoIterator<Item = &'n str>) {
        if self.projection.values().all(|fate| *fate == Bson::Int32(0)) {
            return;
        }
        for path in paths {
            let parents = path.match_indices('.').map(|(dot, _)| &path[..dot]);
            if !parents.chain([path]).any(|path| self.projection.contains_key(path)) {
                self.projection.insert(path, 1);
            }
        }
    }

    /// Hands each document to `visit`, in the server's order, until `visit` breaks.
    pub(crate) async fn for_each(
        self,
        context: &Context,
        mut visit: impl FnMut(&RawDocument) -> Result<ControlFlow<()>> + Send,
    ) -> Result<()> {
        let mut batches = self.batches(context).await?;
        while let Some(batch) = batches.next().await {
            for document in documents_in(&batch?)? {
                if visit(document?)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Returns the first document.
    pub(crate) fn first<'a>(self, context: &'a Context) -> BoxFuture<'a, Result<Option<RawDocumentBuf>>> {
        Box::pin(async move {
            let mut first = None;
            let query = Query { limit: 1, ..self };
            let visit = |document: &RawDocument| {
                first = Some(document.to_owned());
                Ok(ControlFlow::Break(()))
            };
            query.for_each(context, visit).await?;
            Ok(first)
        })
    }

    /// Returns all documents, for a query with few results.
    pub(crate) async fn all(self, context: &Context) -> Result<Vec<Document>> {
        batch::all(self.batches(context).await?).await
    }

    /// Returns the `_id` of the first document.
    pub(crate) async fn first_id(self, context: &Context) -> Result<Option<Bson>> {
        let query = Query { projection: doc! { "_id": 1 }, ..self };
        Ok(query.first(context).await?.and_then(|document| id(&document)))
    }

    /// Returns the `_id`s of the documents, for a query with few results.
    pub(crate) async fn all_ids(self, context: &Context) -> Result<Vec<Bson>> {
        let query = Query { projection: doc! { "_id": 1 }, ..self };
        let (mut ids, mut all) = (query.ids(context).await?, Vec::new());
        while let Some(batch) = ids.next().await? {
            all.extend(batch);
        }
        Ok(all)
    }

    /// Returns the `_id`s of the documents, one reply of the server at a time.
    pub(crate) async fn ids(self, context: &Context) -> Result<Ids> {
        let query = Query { projection: doc! { "_id": 1 }, ..self };
        Ok(Ids(query.batches(context).await?))
    }

    /// Returns the replies of the server, each with many raw documents.
    pub(crate) fn batches<'a>(self, context: &'a Context) -> BoxFuture<'a, Result<Replies>> {
        Box::pin(async move {
            if self.is_aggregate() {
                self.refuse_near()?;
                let batch_size = if self.batch_size > 0 { self.batch_size } else { aggregate::WHOLE_REPLIES };
                let Aggregate { collection, pipeline } = self.into_aggregate();
                return context.aggregate(collection, pipeline, batch_size).await;
            }
            let mut options = FindOptions::default();
            options.sort = (!self.sort.is_empty()).then_some(self.sort);
            options.projection = (!self.projection.is_empty()).then_some(self.projection);
            options.skip = (self.skip > 0).then_some(self.skip);
            options.limit = (self.limit > 0).then_some(self.limit as i64);
            options.batch_size = (self.batch_size > 0).then_some(self.batch_size);
            options.read_concern =
                (self.at_one_time && !context.in_transaction()).then(mongodb::options::ReadConcern::snapshot);
            if options.read_concern.is_none() {
                return context.find(self.collection, self.filter, options).await;
            }
            match context.find(self.collection, self.filter.clone(), options.clone()).await {
                // A standalone server has no reads as of one time.
                Err(Error::Driver(error)) if code::is_in_no_replica_set(&error) => {
                    options.read_concern = None;
                    context.find(self.collection, self.filter, options).await
                }
                found => found,
            }
        })
    }

    /// Counts the documents on the server, with `skip` and `limit`.
    pub(crate) async fn count(self, context: &Context) -> Result<u64> {
        if !self.is_aggregate() {
            return context.count(self.collection, self.filter, self.skip, self.limit).await;
        }
        self.refuse_near()?;
        let mut rows = Query { sort: Document::new(), projection: Document::new(), ..self }.into_aggregate();
        rows.pipeline.push(doc! { "$count": "n" });
        let counted = rows.all(context).await?;
        Ok(counted.first().map_or(0, |row| document::count(row.get("n"))))
    }

    /// Returns the command, without the number of documents in a reply.
    pub(crate) fn into_command(self) -> Document {
        let (asked, texts) = (self.asked.is_some(), self.texts);
        let options = self.options.clone().filter(|_| asked);
        let mut command = if self.is_aggregate() { self.into_aggregate().into_command() } else { self.into_find() };
        if texts == Texts::Bytes {
            command.insert("collation", CollationDefinition::SIMPLE.to_document());
        }
        command.extend(options.iter().flat_map(|options| options.plan()));
        command
    }

    fn into_find(self) -> Document {
        let mut find = doc! { "find": self.collection, "filter": self.filter };
        for (name, part) in [("sort", self.sort), ("projection", self.projection)] {
            if !part.is_empty() {
                find.insert(name, part);
            }
        }
        for (name, number) in [("skip", self.skip), ("limit", self.limit)] {
            if number > 0 {
                find.insert(name, number as i64);
            }
        }
        find
    }
}

/// Decodes a struct from a raw document. The error names the document, and the place in the document.
pub(crate) fn decode<T: Record + DeserializeOwned>(collection: &str, raw: &RawDocument) -> Result<T> {
    if const { T::EXTRA.are_refused() }
        && let Some(path) = extra::unknown_path(T::FIELDS, T::TAGGED, raw)
    {
        let message = Error::message_of_form("the struct has no such field, and `unknown_fields` is `refuse`");
        return Err(unfit(collection, type_name::<T>(), raw, path, message));
    }
    let mut value: T = decode_known(collection, raw)?;
    if const { T::EXTRA.are_kept() } {
        let extra = extra::unknown_fields(T::FIELDS, raw);
        let unread = Error::message_of_form("the value is not BSON that this crate reads");
        value.set_extra(extra.map_err(|path| unfit(collection, type_name::<T>(), raw, path, unread))?);
    }
    Ok(value)
}

/// Decodes the fields of the struct.
fn decode_known<T: Record + DeserializeOwned>(collection: &str, raw: &RawDocument) -> Result<T> {
    if const { hold_forms(T::FIELDS) } {
        return match field::readable_document(T::FIELDS, T::TAGGED, raw) {
            Ok(readable) => parse_as(collection, T::FIELDS, raw, readable.as_deref().unwrap_or(raw)),
            Err(misfit) => {
                let (path, reason) = misfit.into_parts();
                Err(unfit(collection, type_name::<T>(), raw, path, Error::message_of_form(reason)))
            }
        };
    }
    parse_as(collection, T::FIELDS, raw, raw)
}

/// Decodes a struct of this crate from a raw document.
pub(crate) fn parse<T: DeserializeOwned>(collection: &str, raw: &RawDocument) -> Result<T> {
    parse_as(collection, &[], raw, raw)
}

/// Decodes a struct from the readable form of a stored document.
fn parse_as<T: DeserializeOwned>(
    collection: &str,
    fields: &[FieldDefinition],
    stored: &RawDocument,
    readable: &RawDocument,
) -> Result<T> {
    codec::decode(readable).map_err(|error| {
        let mut path = codec::locate_failure::<T>(readable, &error);
        if path.is_empty() {
            path = unfit_value::in_flat_fields(fields, stored).unwrap_or_default();
        }
        unfit(collection, type_name::<T>(), stored, path, error.to_string())
    })
}

fn unfit(collection: &str, name: &'static str, raw: &RawDocument, path: String, message: String) -> Error {
    let (collection, model, id) = (collection.to_owned(), short(name), id(raw).unwrap_or(Bson::Null));
    Error::Decode { collection, model, id: Box::new(id), path, message }
}

impl Error {
    /// Returns the document that the call would have returned, when the write is done and the work after the write is
    /// pending ([`is_done`](Error::is_done)); `None` where the call returns no document, as an `insert` or an update
    /// with `execute`.
    ///
    /// # Errors
    /// [`Error::Decode`] when the document does not fit the struct.
    pub fn document<M: Model>(&self) -> Option<Result<M>> {
        self.stored_document().map(|document| decode(M::DEFINITION.collection, document))
    }
}

/// Decodes the found document as a struct.
pub(crate) async fn decoded<T: Record + DeserializeOwned>(
    collection: &str,
    found: BoxFuture<'_, Result<Option<RawDocumentBuf>>>,
) -> Result<Option<T>> {
    match found.await? {
        Some(document) => decode(collection, &document).map(Some),
        None => Ok(None),
    }
}

/// Decodes a stored value of this shape. The error names the collection.
pub(crate) fn decode_value<T: DeserializeOwned>(collection: &str, shape: Option<&Shape>, value: Bson) -> Result<T> {
    value_of(shape, value).map_err(|message| {
        let (collection, model) = (collection.to_owned(), short(type_name::<T>()));
        Error::Decode { collection, model, id: Box::new(Bson::Null), path: String::new(), message }
    })
}

/// Decodes a stored value of this shape, or returns the message of the failure.
fn value_of<T: DeserializeOwned>(shape: Option<&Shape>, value: Bson) -> Result<T, String> {
    let readable = field::readable(shape, value).map_err(|misfit| Error::message_of_form(misfit.into_parts().1))?;
    codec::decode_value(&readable)
}

/// Returns the key of a document's `_id`; every document has an `_id`.
pub(crate) fn key(raw: &RawDocument) -> Option<Key> {
    Key::of_raw(raw.get("_id").ok()??)
}

/// Returns the last part of a type's path, without the module.
fn short(name: &'static str) -> &'static str {
    let end = name.find('<').unwrap_or(name.len());
    match name[..end].rfind("::") {
        Some(at) => &name[at + 2..],
        None => name,
    }
}

//! Elements of the embedded arrays of many documents, to be found.

mod page;

use std::{fmt, marker::PhantomData, ops::ControlFlow};

use futures_util::{StreamExt, stream::BoxStream};
use mongodb::bson::{Document, RawDocument};

pub use page::ElementsPage;

use super::elements::{FoundElement, decode, path_in_row, rows};
use crate::{
    error::{Error, Result},
    executor::Executor,
    explain::Explain,
    field::{Element, ElementToken, Field, Filter, SortKeyOfElement},
    join::Item,
    model::Model,
    page::{Order, sort_by},
    read::{self, Query, run},
};

/// The elements of an array of `P`, each an `E`, for which a condition holds, in all documents or in some.
///
/// The documents are found by an index on the fields of the condition, as `#[index(comments.name)]`; without one each is read.
/// Of the documents that are found the server reads the whole array. [`sort`](FindElements::sort) and
/// [`page`](FindElements::page) order what is found in the server's memory, since an index orders documents and not their
/// elements: a page costs what is found.
#[must_use = "nothing is read until `fetch`, `stream`, `one`, `count`, `exists` or a page is awaited"]
pub struct FindElements<P, E> {
    array: &'static str,
    condition: Filter<Element<E>>,
    documents: Filter<P>,
    /// Paths in a row; `true` for descending.
    keys: Vec<(String, bool)>,
    skip: u64,
    limit: u32,
    types: PhantomData<fn() -> (P, E)>,
}

impl<P: Model, E: Field + Item> FindElements<P, E> {
    pub(super) fn new(array: &'static str, condition: Filter<Element<E>>) -> Self {
        let (documents, keys) = (Filter::all(), Vec::new());
        FindElements { array, condition, documents, keys, skip: 0, limit: 0, types: PhantomData }
    }

    /// Only in the documents that this filter finds: `.in_documents(Post::F.author.eq(&author))`. A further call is one more condition.
    pub fn in_documents(self, filter: Filter<P>) -> Self {
        FindElements { documents: self.documents & filter, ..self }
    }

    /// In this order: `.sort(|comment| comment.created_on.desc())`, or several keys in brackets. The keys take the place of those of
    /// an earlier call. The server sorts what is found in its memory; without pages equal ones are in any order.
    pub fn sort<K: SortKeyOfElement<E>, I: IntoIterator<Item = K>>(
        self,
        keys: impl FnOnce(ElementToken<E>) -> I,
    ) -> Self {
        let keys = keys(ElementToken::NEW).into_iter().map(|key| key.into_key().into_parts());
        let keys = keys.map(|(path, descending)| (path_in_row(&path), descending)).collect();
        FindElements { keys, ..self }
    }

    /// At most this many elements; 0 for all.
    pub fn limit(self, limit: u32) -> Self {
        FindElements { limit, ..self }
    }

    /// Not the first `skip` elements.
    pub fn skip(self, skip: u64) -> Self {
        FindElements { skip, ..self }
    }

    /// Pages of `size` elements in the order of [`sort`](FindElements::sort), of equal ones in that of the
    /// documents' `_id`s and of the arrays, in the direction of the last key; a `size` of 0 counts as 1. An element that comes into an array or leaves it between two pages
    /// moves those after it, which is seen only among equal ones of one document.
    pub fn page<'a>(self, size: u32) -> ElementsPage<'a, P, E> {
        ElementsPage::new(self, size)
    }

    /// All that match.
    ///
    /// # Errors
    /// Those of the filter; [`Error::Decode`] when an element does not fit `E`; those of the server and the network.
    pub async fn fetch(self, db: &impl Executor) -> Result<Vec<FoundElement<P, E>>> {
        self.fetch_each(db).await?.into_iter().collect()
    }

    /// All that match; an element that does not fit `E` is an [`Error::Decode`] in its place.
    ///
    /// # Errors
    /// Those of [`fetch`](FindElements::fetch), without that of such an element.
    pub async fn fetch_each(self, db: &impl Executor) -> Result<Vec<Result<FoundElement<P, E>>>> {
        let (array, mut found) = (self.array, Vec::new());
        let mut visit = |row: &RawDocument| {
            found.push(decode(array, row));
            Ok(ControlFlow::Continue(()))
        };
        run::each(db, self.query(), &mut visit).await?;
        Ok(found)
    }

    /// All that match, one after the other: one reply of the server at a time is in memory. An element that does not fit `E` is one
    /// [`Error::Decode`] and the stream goes on; an error of the driver is the last item.
    ///
    /// # Errors
    /// Those of the filter, and of the server and the network for the first reply.
    pub async fn stream(self, db: &impl Executor) -> Result<BoxStream<'static, Result<FoundElement<P, E>>>> {
        let array = self.array;
        let rows = run::stream(db, self.query()).await?;
        Ok(rows.map(move |row| decode(array, &row?)).boxed())
    }

    /// The first that matches, if there is one.
    ///
    /// # Errors
    /// As of [`fetch`](FindElements::fetch).
    pub async fn one(self, db: &impl Executor) -> Result<Option<FoundElement<P, E>>> {
        let array = self.array;
        run::first(db, self.query()).await?.map(|row| decode(array, &row)).transpose()
    }

    /// How many match, counted by the server, with `skip` and `limit`.
    ///
    /// # Errors
    /// Those of the filter, the server and the network.
    pub async fn count(self, db: &impl Executor) -> Result<u64> {
        run::count(db, self.query()).await
    }

    /// Whether one matches.
    ///
    /// # Errors
    /// Those of the filter, the server and the network.
    pub async fn exists(self, db: &impl Executor) -> Result<bool> {
        run::exists(db, self.query()).await
    }

    fn query(self) -> Result<Query> {
        let over = rows(self.array, self.condition.into_document()?, self.documents.into_document()?)?;
        let query = Query::new(P::DEFINITION.collection, Document::new());
        Ok(Query {
            over,
            sort: sort_by(&self.keys),
            skip: read::skipped(self.skip)?,
            limit: self.limit.into(),
            ..query
        })
    }

    /// What is found and in which order, with its place as the last key.
    fn into_paged(self) -> Result<(Query, Order)> {
        if self.skip > 0 || self.limit > 0 {
            return Err(Error::Query { message: "a page has its own size and place: take `skip` and `limit` away" });
        }
        let order = Order::new(self.keys.clone(), false);
        Ok((Query { sort: Document::new(), ..self.query()? }, order))
    }
}

impl<P: Model, E: Field + Item> Explain for FindElements<P, E> {
    async fn explain(&self, db: &impl Executor) -> Result<Document> {
        run::explain(db, self.clone().query()).await
    }
}

impl<P, E> Clone for FindElements<P, E> {
    fn clone(&self) -> Self {
        let (condition, documents, keys) = (self.condition.clone(), self.documents.clone(), self.keys.clone());
        FindElements { condition, documents, keys, ..*self }
    }
}

impl<P, E> fmt::Debug for FindElements<P, E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = &mut formatter.debug_struct("FindElements");
        fields.field("array", &self.array).field("condition", &self.condition).field("documents", &self.documents);
        fields.finish_non_exhaustive()
    }
}

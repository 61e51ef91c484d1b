//! Finds elements of the embedded arrays of many documents.

mod page;

use std::{marker::PhantomData, sync::Arc};

use derive_where::derive_where;
use futures_util::{StreamExt, stream::BoxStream};
use mongodb::bson::Document;

pub use page::ElementsPage;

use super::elements::{FoundElement, decode, path_in_row, rows};
use crate::{
    error::{Error, Result},
    executor::{Configurable, Executor, OperationOptions},
    explain::Explain,
    field::{Element, ElementToken, Filter, SortKeyOfElement},
    join::ElementItem,
    model::Model,
    mongosh::ToMongosh,
    page::{Order, Pages, Request, sort_by},
    read::{self, Query, run},
};

/// The elements of an array of `P`, each an `E`, for which a condition holds, in all documents or in some documents.
///
/// An index on the fields of the condition, as `#[index(comments.name)]`, finds the documents; without an index, the
/// server reads every document. The server reads the whole array of each found document. [`sort`](FindElements::sort)
/// and [`paginate`](FindElements::paginate) order the found elements in the memory of the server, because an index
/// orders documents and not the elements. A page therefore costs as much as all found elements.
#[must_use = "nothing is read until `fetch_all`, `stream`, `fetch_optional`, `count`, `exists` or a page is awaited"]
#[derive_where(Clone, Debug)]
pub struct FindElements<P, E> {
    array: &'static str,
    condition: Filter<Element<E>>,
    documents: Filter<P>,
    /// Paths in a row; `true` for descending.
    keys: Vec<(String, bool)>,
    skip: u64,
    limit: u32,
    options: Option<Arc<OperationOptions>>,
    #[derive_where(skip(Debug))]
    types: PhantomData<fn() -> (P, E)>,
}

impl<P, E> Configurable for FindElements<P, E> {
    fn configure(mut self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        change(Arc::make_mut(self.options.get_or_insert_default()));
        self
    }
}

impl<P: Model, E: ElementItem> FindElements<P, E> {
    pub(super) fn new(array: &'static str, condition: Filter<Element<E>>) -> Self {
        let (documents, keys) = (Filter::all(), Vec::new());
        FindElements { array, condition, documents, keys, skip: 0, limit: 0, options: None, types: PhantomData }
    }

    /// Restricts the search to the documents that the filter finds: `.in_documents(Post::F.author.eq(&author))`. A
    /// further call adds a condition.
    pub fn in_documents(self, filter: Filter<P>) -> Self {
        FindElements { documents: self.documents & filter, ..self }
    }

    /// Sorts the elements: `.sort(|comment| comment.created_on.desc())`, or several keys in brackets. The keys replace
    /// the keys of an earlier call. The server sorts the found elements in memory; without pages, equal elements are in
    /// any order.
    pub fn sort<K: SortKeyOfElement<E>, I: IntoIterator<Item = K>>(
        self,
        keys: impl FnOnce(ElementToken<E>) -> I,
    ) -> Self {
        let keys = keys(ElementToken::NEW).into_iter().map(|key| key.into_key().into_parts());
        let keys = keys.map(|(path, descending)| (path_in_row(&path), descending)).collect();
        FindElements { keys, ..self }
    }

    /// Limits the number of elements; 0 for all elements.
    pub fn limit(self, limit: u32) -> Self {
        FindElements { limit, ..self }
    }

    /// Skips the first `skip` elements.
    pub fn skip(self, skip: u64) -> Self {
        FindElements { skip, ..self }
    }

    /// Reads pages of `size` elements in the order of [`sort`](FindElements::sort). Equal elements are in the order of
    /// the `_id`s of the documents and then of the arrays, in the direction of the last key. A `size` of 0 counts as 1.
    /// An insert into an array or a removal between two pages moves the later elements of the array; the move is
    /// visible only among equal elements of one document.
    pub fn paginate<'a>(self, size: u32) -> ElementsPage<'a, P, E> {
        Pages::new(self, Request::first(size))
    }

    /// Reads all matching elements.
    ///
    /// # Errors
    /// Errors of the filter; [`Error::Decode`] when an element does not fit `E`; errors of the server and the network.
    pub async fn fetch_all(self, db: &impl Executor) -> Result<Vec<FoundElement<P, E>>> {
        self.fetch_each(db).await?.into_iter().collect()
    }

    /// Reads all matching elements; an element that does not fit `E` is an [`Error::Decode`] at the same position.
    ///
    /// # Errors
    /// As [`fetch_all`](FindElements::fetch_all), except for elements that do not fit.
    pub async fn fetch_each(self, db: &impl Executor) -> Result<Vec<Result<FoundElement<P, E>>>> {
        let array = self.array;
        run::all(db, self.query(), |row| Ok(decode(array, row))).await
    }

    /// Streams all matching elements: one reply of the server at a time is in memory. For an element that does not fit
    /// `E`, the stream returns an [`Error::Decode`] and continues; an error of the driver is the last item.
    ///
    /// # Errors
    /// Errors of the filter, and errors of the server and the network for the first reply.
    pub async fn stream(self, db: &impl Executor) -> Result<BoxStream<'static, Result<FoundElement<P, E>>>> {
        let array = self.array;
        let rows = run::stream(db, self.query()).await?;
        Ok(rows.map(move |row| decode(array, &row?)).boxed())
    }

    /// Returns the first matching element; `None` when no element matches.
    ///
    /// # Errors
    /// As [`fetch_all`](FindElements::fetch_all).
    pub async fn fetch_optional(self, db: &impl Executor) -> Result<Option<FoundElement<P, E>>> {
        let array = self.array;
        run::first(db, self.query()).await?.map(|row| decode(array, &row)).transpose()
    }

    /// Counts the matching elements on the server, with `skip` and `limit`.
    ///
    /// # Errors
    /// Errors of the filter, the server and the network.
    pub async fn count(self, db: &impl Executor) -> Result<u64> {
        run::count(db, self.query()).await
    }

    /// Returns whether an element matches.
    ///
    /// # Errors
    /// Errors of the filter, the server and the network.
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
            options: self.options,
            ..query
        })
    }

    /// Returns the query without a sort, and the order of the elements with the place of an element as the last key.
    fn into_paged(self) -> Result<(Query, Order)> {
        if self.skip > 0 || self.limit > 0 {
            return Err(Error::Query { message: "a page sets the size and the place: remove `skip` and `limit`" });
        }
        let order = Order::new(self.keys.clone(), false);
        Ok((Query { sort: Document::new(), ..self.query()? }, order))
    }
}

impl<P: Model, E: ElementItem> ToMongosh for FindElements<P, E> {
    fn command(&self) -> Result<Document> {
        self.clone().query().map(Query::into_command)
    }
}

impl<P: Model, E: ElementItem> Explain for FindElements<P, E> {}

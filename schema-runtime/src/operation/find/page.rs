//! The pages of a read of a collection.

use mongodb::bson::Document;
use serde::de::DeserializeOwned;

use super::Find;
use crate::{
    error::Result,
    executor::Executor,
    explain::Explain,
    field::{Filter, Record, Revealable, Token},
    model::Model,
    mongosh::ToMongosh,
    page::{Counted, Page, Pages},
};

/// A page of the documents that match, before the read. Each page is found by the place where the adjacent page ended,
/// never by skipping. Without a place, the page is the first page. See [the page `pages`](crate::guide).
pub type FindPage<'a, M, T = M> = Pages<'a, Find<M, T>>;

impl<M, T> FindPage<'_, M, T> {
    /// Adds a condition that the documents must also meet: see [`Find::filter`].
    pub fn filter(self, filter: Filter<M>) -> Self
    where
        M: Model,
        T: Record + DeserializeOwned + Send + 'static,
    {
        Pages { read: self.read.filter(filter), ..self }
    }

    /// Returns the read without pages: to count, to stream, or to read in pages of another size.
    pub fn into_find(self) -> Find<M, T> {
        self.read
    }
}

impl<M, T> Counted for Find<M, T> {}

impl<M: Model> FindPage<'_, M> {
    /// Also reads a hidden field: see [`Find::reveal`].
    pub fn reveal<F>(self, field: F) -> Self
    where
        F: Token<Model = M, Access: Revealable>,
    {
        Pages { read: self.read.reveal(field), ..self }
    }
}

impl<M: Model, T: Record + DeserializeOwned + Send + 'static> FindPage<'_, M, T> {
    /// Reads the page by one `find`. An index on the fields of the filter, then the fields of the sort, then `_id`,
    /// ends the read one key after the page.
    ///
    /// # Errors
    /// [`Error::PageToken`](crate::Error::PageToken) when the token belongs to another model, filter or order;
    /// [`Error::Query`](crate::Error::Query) when the page has two places or the read has a `skip` or a `limit`;
    /// [`Error::Decode`](crate::Error::Decode) when a document does not fit `T`, and the errors of the driver.
    pub async fn fetch(self, db: &impl Executor) -> Result<Page<Vec<T>>> {
        self.fetch_each(db).await?.all()
    }

    /// Reads the page; a document that does not fit `T` becomes an [`Error::Decode`](crate::Error::Decode) in the place
    /// of the document.
    ///
    /// # Errors
    /// The errors of [`fetch`](FindPage::fetch), without the error of a document that does not fit `T`.
    pub async fn fetch_each(self, db: &impl Executor) -> Result<Page<Vec<Result<T>>>> {
        self.request.fetch(db, self.read.search.into_paged()).await
    }
}

impl<M: Model, T: Record + DeserializeOwned + Send + 'static> ToMongosh for FindPage<'_, M, T> {
    fn command(&self) -> Result<Document> {
        self.request.command(self.read.search.clone().into_paged())
    }
}

impl<M: Model, T: Record + DeserializeOwned + Send + 'static> Explain for FindPage<'_, M, T> {}

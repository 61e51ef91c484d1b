//! Pages of elements of embedded arrays.

use mongodb::bson::Document;

use super::FindElements;
use crate::{
    error::Result,
    executor::Executor,
    explain::Explain,
    join::ElementItem,
    model::Model,
    mongosh::ToMongosh,
    page::{Page, Pages},
    relation::embedded::elements::{FoundElement, decode},
};

/// A page of the matching elements, to be read.
pub type ElementsPage<'a, P, E> = Pages<'a, FindElements<P, E>>;

impl<P: Model, E: ElementItem> Pages<'_, FindElements<P, E>> {
    /// Reads the page, by one `aggregate`.
    ///
    /// # Errors
    /// [`Error::PageToken`](crate::Error::PageToken) when the token belongs to another array, filter or order;
    /// [`Error::Query`](crate::Error::Query) when the page has two places or the read has a `skip` or a `limit`;
    /// [`Error::Decode`](crate::Error::Decode) when an element does not fit `E`; and errors of the server and the
    /// network.
    pub async fn fetch(self, db: &impl Executor) -> Result<Page<Vec<FoundElement<P, E>>>> {
        self.fetch_each(db).await?.all()
    }

    /// Reads the page; an element that does not fit `E` is an [`Error::Decode`](crate::Error::Decode) at the same
    /// position.
    ///
    /// # Errors
    /// As `fetch`, except for elements that do not fit.
    pub async fn fetch_each(self, db: &impl Executor) -> Result<Page<Vec<Result<FoundElement<P, E>>>>> {
        let array = self.read.array;
        self.request.fetch_as(db, self.read.into_paged(), |_, row| decode(array, row)).await
    }
}

impl<P: Model, E: ElementItem> ToMongosh for Pages<'_, FindElements<P, E>> {
    fn command(&self) -> Result<Document> {
        self.request.command(self.read.clone().into_paged())
    }
}

impl<P: Model, E: ElementItem> Explain for Pages<'_, FindElements<P, E>> {}

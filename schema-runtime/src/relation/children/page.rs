//! Pages of the children of a parent.

use mongodb::bson::Document;

use super::ChildrenOf;
use crate::{
    error::Result,
    executor::Executor,
    explain::Explain,
    join::{Item, Joined, load, query::ChildrenQuery},
    model::{Model, OwnDocument, Projection},
    mongosh::ToMongosh,
    page::{Counted, Page, Pages},
};

/// A page of the children of a parent in the order of the relation, to be read.
pub type PageOf<'t, P, C, T = C> = Pages<'t, ChildrenOf<P, C, T>>;

impl<P, C, T> Counted for ChildrenOf<P, C, T> {}

impl<'t, P, C, T> Pages<'t, ChildrenOf<P, C, T>> {
    /// Reads the same children, but the server sends only the fields of `V` and of the order.
    pub fn select<V: Projection<Of = C>>(self) -> PageOf<'t, P, C, V>
    where
        C: Model + OwnDocument,
    {
        Pages::new(self.read.select(), self.request)
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> Pages<'_, ChildrenOf<P, C, T>> {
    /// Reads the page, by a query that ends one key after the page in the index of the relation.
    ///
    /// # Errors
    /// [`Error::PageToken`](crate::Error::PageToken) when the token belongs to another parent, relation or order,
    /// [`Error::Query`](crate::Error::Query) when the page has two places, and errors of the server and the network.
    /// The result contains the documents that do not fit.
    pub async fn fetch(self, db: &impl Executor) -> Result<Page<Joined<T, C>>> {
        load::page(db, self.read.name(), self.read.query(), self.request).await
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> ToMongosh for Pages<'_, ChildrenOf<P, C, T>> {
    fn command(&self) -> Result<Document> {
        self.request.command(self.read.query().map(ChildrenQuery::into_paged))
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> Explain for Pages<'_, ChildrenOf<P, C, T>> {}

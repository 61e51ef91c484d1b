//! A read of documents with their scores in a text search.

use std::marker::PhantomData;

use mongodb::bson::{RawDocument, RawDocumentBuf, doc};
use serde::de::DeserializeOwned;

use super::Find;
use crate::{
    codec,
    error::Result,
    executor::Executor,
    field::{Record, SCORE, TextIndexed},
    model::Model,
    read::{self, run},
};

/// A document of a text search, with the score of the document.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored<T> {
    /// The score: higher is nearer to the searched words. Scores of different searches are not comparable.
    pub score: f64,
    /// The document.
    pub document: T,
}

/// The documents of a text search, each with the score: see [`Find::with_score`].
#[must_use = "nothing is read until `fetch_all` or `fetch_optional` is awaited"]
pub struct FindScored<M, T = M> {
    read: Find<M, T>,
    types: PhantomData<fn() -> (M, T)>,
}

impl<M: Model, T: Record + DeserializeOwned + Send + 'static> Find<M, T> {
    /// Reads each document with the score of the text search. The filter has a [`Filter::text`](crate::Filter::text);
    /// without such a condition the server has no score, and refuses the read.
    ///
    /// ```
    /// # use schema_runtime::{field::SortKey, prelude::*};
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")] #[index(text(title))]
    /// # struct Post { #[serde(rename = "_id")] id: ObjectId, title: String }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let best = Post::find(Filter::text("coffee")).sort(SortKey::score()).limit(10);
    /// for found in best.with_score().fetch_all(db).await? {
    ///     println!("{:.2} {}", found.score, found.document.title);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_score(self) -> FindScored<M, T>
    where
        M: TextIndexed,
    {
        let search = self.search.with(|query| {
            query.projection.insert(SCORE, doc! { "$meta": "textScore" });
        });
        FindScored { read: Find { search, types: PhantomData }, types: PhantomData }
    }
}

impl<M: Model, T: Record + DeserializeOwned + Send + 'static> FindScored<M, T> {
    /// Returns all documents that match, in the order of the read, each with the score.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when a document does not fit `T`; the error of the server when the
    /// filter has no [`Filter::text`](crate::Filter::text).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")] #[index(text(title))]
    /// # struct Post { #[serde(rename = "_id")] id: ObjectId, title: String }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let found = Post::find(Filter::text("coffee")).with_score().fetch_all(db).await?;
    /// assert!(found.iter().all(|found| found.score > 0.0));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn fetch_all(self, db: &impl Executor) -> Result<Vec<Scored<T>>> {
        run::all(db, self.read.search.in_whole_replies(), decode::<M, T>).await
    }

    /// Returns the first document in the order of the read, with the score; `None` when no document matches.
    ///
    /// # Errors
    /// The errors of [`fetch_all`](FindScored::fetch_all).
    ///
    /// ```
    /// # use schema_runtime::{field::SortKey, prelude::*};
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")] #[index(text(title))]
    /// # struct Post { #[serde(rename = "_id")] id: ObjectId, title: String }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let best = Post::find(Filter::text("coffee")).sort(SortKey::score()).with_score().fetch_optional(db).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn fetch_optional(self, db: &impl Executor) -> Result<Option<Scored<T>>> {
        let document = run::first(db, self.read.search.in_whole_replies()).await?;
        document.map(|document| decode::<M, T>(&document)).transpose()
    }
}

/// Decodes a document. The struct does not see the field with the score.
fn decode<M: Model, T: Record + DeserializeOwned>(raw: &RawDocument) -> Result<Scored<T>> {
    let score = raw.get(SCORE).ok().flatten().and_then(|score| score.as_f64()).unwrap_or_default();
    let stored: RawDocumentBuf = codec::without_field(raw, SCORE);
    Ok(Scored { score, document: read::decode(M::DEFINITION.collection, &stored)? })
}

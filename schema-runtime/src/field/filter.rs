//! A condition on the documents of one model.

use std::marker::PhantomData;

use mongodb::bson::{Bson, Document, doc};

use crate::error::Result;

/// A condition on the documents of `M`; a filter of another model does not compile in its place.
#[derive(Debug)]
pub struct Filter<M> {
    document: Result<Document>,
    model: PhantomData<fn() -> M>,
}

impl<M> Filter<M> {
    /// Every document.
    pub fn all() -> Self {
        Filter::raw(Document::new())
    }

    /// A filter in MongoDB's own words. The way out: nothing checks it, and a value put in it from outside may become an
    /// operator.
    pub fn raw(document: Document) -> Self {
        Filter { document: Ok(document), model: PhantomData }
    }

    /// Both hold.
    pub fn and(self, other: Filter<M>) -> Self {
        let document = match (self.document, other.document) {
            (Ok(left), Ok(right)) if left.is_empty() => Ok(right),
            (Ok(left), Ok(right)) if right.is_empty() => Ok(left),
            (Ok(left), Ok(right)) => Ok(doc! { "$and": [left, right] }),
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        Filter::from_parts(document)
    }

    /// The document for the server; an error when a value could not be written as BSON.
    pub fn into_document(self) -> Result<Document> {
        self.document
    }

    pub(crate) fn from_parts(document: Result<Document>) -> Self {
        Filter { document, model: PhantomData }
    }

    /// `path` equals `value`, which never becomes an operator: a document or a pattern is wrapped in `$eq`.
    pub(crate) fn equal(path: String, value: Result<Bson>) -> Self {
        Filter::from_parts(value.map(|value| match value {
            Bson::Document(_) | Bson::RegularExpression(_) => doc! { path: { "$eq": value } },
            value => doc! { path: value },
        }))
    }
    /// `path` equals one of the values. The server reads a pattern in `$in` as one, and refuses a document that looks like
    /// an operator there: with such a value among them each is compared on its own.
    pub(crate) fn among(path: String, values: Result<Vec<Bson>>) -> Self {
        Filter::from_parts(values.map(|values| {
            if values.iter().any(looks_like_an_operator) {
                let each: Vec<Document> = values.into_iter().map(|value| doc! { &path: { "$eq": value } }).collect();
                return doc! { "$or": each };
            }
            doc! { path: { "$in": values } }
        }))
    }
}

fn looks_like_an_operator(value: &Bson) -> bool {
    match value {
        Bson::RegularExpression(_) => true,
        Bson::Document(document) => document.keys().any(|key| key.starts_with('$')),
        _ => false,
    }
}

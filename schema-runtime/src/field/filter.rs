//! A condition on the documents of one model.

use std::{
    fmt,
    marker::PhantomData,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not},
};

use mongodb::bson::{Bson, Document, doc};

use super::condition;
use crate::error::Result;

/// A condition on the documents of `M`; a filter of another model does not compile in its place.
///
/// `a & b`, `a | b` and `!a`, also as `a &= b` and `a |= b`, are [`and`](Filter::and), [`or`](Filter::or) and [`not`](Filter::not).
#[must_use = "a condition does nothing until it is given to an operation"]
pub struct Filter<M> {
    document: Result<Document>,
    model: PhantomData<fn() -> M>,
}

impl<M> Filter<M> {
    /// Every document.
    pub fn all() -> Self {
        Filter::raw(Document::new())
    }

    /// No document.
    pub fn none() -> Self {
        Filter::raw(condition::nothing())
    }

    /// A filter in MongoDB's own words. The way out: nothing checks it, and a value put in it from outside may become an
    /// operator.
    pub fn raw(document: Document) -> Self {
        Filter::from_parts(Ok(document))
    }

    /// The documents whose text index holds some of these words (`$text`). The collection must have a text index, and there
    /// is one such condition at most in a query. The words are taken as they are: a quote or a minus has no meaning.
    pub fn text(words: &str) -> Self {
        Filter::raw(condition::text(words))
    }

    /// Both hold.
    pub fn and(self, other: Filter<M>) -> Self {
        Filter::from_parts(joined(self.document, other.document, condition::and))
    }

    /// One of the two holds, or both.
    pub fn or(self, other: Filter<M>) -> Self {
        Filter::from_parts(joined(self.document, other.document, condition::or))
    }

    /// It does not hold. A document without the field is among them.
    #[allow(clippy::should_implement_trait, reason = "`!filter` is the same")]
    pub fn not(self) -> Self {
        Filter::from_parts(self.document.map(|condition| condition::nor(vec![condition])))
    }

    /// All of them hold; none is every document.
    pub fn all_of(filters: impl IntoIterator<Item = Filter<M>>) -> Self {
        filters.into_iter().fold(Filter::all(), Filter::and)
    }

    /// Some of them holds; none is no document.
    pub fn any_of(filters: impl IntoIterator<Item = Filter<M>>) -> Self {
        filters.into_iter().reduce(Filter::or).unwrap_or_else(Filter::none)
    }

    /// None of them holds; none is every document.
    pub fn nor(filters: impl IntoIterator<Item = Filter<M>>) -> Self {
        let documents: Result<Vec<Document>> = filters.into_iter().map(|filter| filter.document).collect();
        Filter::from_parts(documents.map(condition::nor))
    }

    /// The document for the server.
    ///
    /// # Errors
    /// [`Error::Encode`](crate::Error::Encode) when a value could not be written as BSON, [`Error::Filter`](crate::Error::Filter) when the server has no words for it.
    pub fn into_document(self) -> Result<Document> {
        self.document
    }

    pub(crate) fn from_parts(document: Result<Document>) -> Self {
        Filter { document, model: PhantomData }
    }

    /// `path` equals `value`.
    pub(crate) fn equal(path: String, value: Result<Bson>) -> Self {
        Filter::from_parts(value.map(|value| condition::equal(path, value)))
    }
}

/// What `filter` says of its one field, or the list of this stored name says.
pub fn or_kept<M>(filter: Filter<M>, kept: &str) -> Filter<M> {
    let or_kept = |current: Document| {
        let of_list = current.values().next().cloned().unwrap_or(Bson::Null);
        condition::or(current, doc! { kept: of_list })
    };
    Filter::from_parts(filter.document.map(or_kept))
}

fn joined(
    left: Result<Document>,
    right: Result<Document>,
    join: fn(Document, Document) -> Document,
) -> Result<Document> {
    Ok(join(left?, right?))
}

/// Every document, as [`Filter::all`].
impl<M> Default for Filter<M> {
    fn default() -> Self {
        Filter::all()
    }
}

impl<M> Clone for Filter<M> {
    fn clone(&self) -> Self {
        Filter::from_parts(self.document.clone())
    }
}

/// What is asked, without the values.
impl<M> fmt::Debug for Filter<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.document {
            Ok(document) => write!(formatter, "Filter({})", condition::without_values(document)),
            Err(error) => write!(formatter, "Filter({error})"),
        }
    }
}

impl<M> BitAnd for Filter<M> {
    type Output = Filter<M>;

    fn bitand(self, other: Filter<M>) -> Filter<M> {
        self.and(other)
    }
}

impl<M> BitAndAssign for Filter<M> {
    fn bitand_assign(&mut self, other: Filter<M>) {
        *self = std::mem::take(self).and(other);
    }
}

impl<M> BitOrAssign for Filter<M> {
    fn bitor_assign(&mut self, other: Filter<M>) {
        *self = std::mem::take(self).or(other);
    }
}

impl<M> BitOr for Filter<M> {
    type Output = Filter<M>;

    fn bitor(self, other: Filter<M>) -> Filter<M> {
        self.or(other)
    }
}

impl<M> Not for Filter<M> {
    type Output = Filter<M>;

    fn not(self) -> Filter<M> {
        Filter::not(self)
    }
}

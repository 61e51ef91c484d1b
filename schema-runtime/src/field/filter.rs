//! A condition on the documents of one model.

use std::{
    fmt,
    marker::PhantomData,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not},
};

use mongodb::bson::{Bson, Document, doc};

use super::{IntoValue, condition};
use crate::error::{Error, Result};

/// A condition on the documents of `M`; a filter of another model does not compile in its place.
///
/// `a & b`, `a | b` and `!a`, also as `a &= b` and `a |= b`, are [`and`](Filter::and), [`or`](Filter::or) and [`not`](Filter::not).
#[must_use = "a condition does nothing until it is given to an operation"]
pub struct Filter<M> {
    document: Result<Document>,
    /// At most so many documents and arrays are inside of each other in the document.
    depth: usize,
    model: PhantomData<fn() -> M>,
}

/// How many documents and arrays may be inside of each other in a filter. The server takes 200 in a command, and an operation may put a
/// filter into some of its own. Source: MongoDB, "BSON Types", and src/mongo/bson/bson_depth.h.
const MAX_DEPTH: usize = 180;
/// An operator of other conditions and its list.
const OPERATOR_DEPTH: usize = 2;

const TOO_DEEP: Error = Error::Filter {
    message: "its conditions are nested more than 90 levels deep: write `Filter::all_of`, `Filter::any_of` or `Filter::nor` of a list",
};

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
        self.joined(other, condition::and)
    }

    /// One of the two holds, or both.
    pub fn or(self, other: Filter<M>) -> Self {
        self.joined(other, condition::or)
    }

    /// It does not hold. A document without the field is among them.
    #[allow(clippy::should_implement_trait, reason = "`!filter` is the same")]
    pub fn not(self) -> Self {
        Filter::of_depth(self.document.map(|condition| condition::nor(vec![condition])), self.depth + OPERATOR_DEPTH)
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
    /// [`Error::Encode`](crate::Error::Encode) when a value could not be written as BSON, [`Error::Filter`](crate::Error::Filter) when the server has no words for
    /// it, or its conditions are nested more than 90 levels deep.
    pub fn into_document(self) -> Result<Document> {
        self.document
    }

    pub(crate) fn from_parts(document: Result<Document>) -> Self {
        // It is looked at.
        Filter::of_depth(document, usize::MAX)
    }

    /// A condition which is at most so deep, unless it is too deep: whatever is done to one goes down into it, so that none is built that
    /// would overflow a stack.
    fn of_depth(document: Result<Document>, depth: usize) -> Self {
        let (document, depth) = match document {
            Ok(document) if depth > MAX_DEPTH => {
                let depth = condition::depth(&document, MAX_DEPTH);
                (if depth > MAX_DEPTH { Err(TOO_DEEP) } else { Ok(document) }, depth)
            }
            document => (document, depth),
        };
        Filter { document, depth, model: PhantomData }
    }

    fn joined(self, other: Filter<M>, join: fn(Document, Document) -> Document) -> Self {
        let document = match (self.document, other.document) {
            (Ok(left), Ok(right)) => Ok(join(left, right)),
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        Filter::of_depth(document, self.depth.max(other.depth) + OPERATOR_DEPTH)
    }

    /// `path` equals `value`.
    pub(crate) fn equal(path: String, value: Result<Bson>) -> Self {
        Filter::from_parts(value.map(|value| condition::equal(path, value)))
    }
}

/// The stored field `name` has this slug, or the list `kept` of earlier ones has it.
pub fn slug_filter<M, T>(name: &str, slug: impl IntoValue<T>, kept: Option<&str>) -> Filter<M> {
    let value = slug.into_value();
    let condition = value.map(|slug| match kept {
        Some(kept) => condition::or(condition::equal(name.to_owned(), slug.clone()), doc! { kept: slug }),
        None => condition::equal(name.to_owned(), slug),
    });
    Filter::from_parts(condition)
}

/// Every document, as [`Filter::all`].
impl<M> Default for Filter<M> {
    fn default() -> Self {
        Filter::all()
    }
}

impl<M> Clone for Filter<M> {
    fn clone(&self) -> Self {
        Filter { document: self.document.clone(), depth: self.depth, model: PhantomData }
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

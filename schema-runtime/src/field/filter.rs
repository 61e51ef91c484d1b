//! A condition on the documents of one model.

use std::{
    fmt,
    marker::PhantomData,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not},
};

use derive_where::derive_where;
use mongodb::bson::{Bson, Document, doc};

use super::{
    IntoValue, condition,
    text_search::{TextIndexed, TextSearch},
};
use crate::{
    document::without_values,
    error::{Error, Result},
};

/// A condition on the documents of `M`. A filter of another model does not compile where a filter of `M` is needed.
///
/// `a & b`, `a | b` and `!a`, also as `a &= b` and `a |= b`, are [`and`](Filter::and), [`or`](Filter::or) and
/// [`not`](Filter::not).
#[must_use = "a condition alone does nothing: give the condition to an operation"]
#[derive_where(Clone)]
pub struct Filter<M> {
    document: Result<Document>,
    /// The most levels of documents and arrays inside of each other in the document.
    depth: usize,
    model: PhantomData<fn() -> M>,
}

/// The most levels of documents and arrays inside of each other in a filter. The server takes 200 levels in a command,
/// and an operation may add some levels around a filter. Source: MongoDB, "BSON Types", and
/// src/mongo/bson/bson_depth.h.
const MAX_DEPTH: usize = 180;
/// The levels of an operator of conditions: the operator and the list.
const OPERATOR_DEPTH: usize = 2;

const TOO_DEEP: Error = Error::Filter {
    message: "the conditions are nested more than 90 levels deep: write `Filter::all_of`, `Filter::any_of` or \
              `Filter::nor` of a list",
};

impl<M> Filter<M> {
    /// Matches every document.
    pub fn all() -> Self {
        Filter::raw(Document::new())
    }

    /// Matches no document.
    pub fn none() -> Self {
        Filter::raw(condition::nothing())
    }

    /// A filter in MongoDB's own words. The way out: nothing checks the document, and a value from outside in the
    /// document may become an operator.
    pub fn raw(document: Document) -> Self {
        Filter::from_parts(Ok(document))
    }

    /// Matches the documents with some of these words in the text index (`$text`): a text, or a
    /// [`TextSearch`](crate::TextSearch) with options. A query has at most one search, outside of `or` and `not`. The
    /// words are taken literally: a quote or a minus has no meaning.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")] #[index(text(title))]
    /// # struct Post { #[serde(rename = "_id")] id: ObjectId, title: String }
    /// let coffee = Post::find(Filter::text("coffee")).limit(20);
    /// # let _ = coffee;
    /// ```
    pub fn text(search: impl Into<TextSearch>) -> Self
    where
        M: TextIndexed,
    {
        Filter::raw(search.into().into_document())
    }

    /// Matches when both filters match.
    pub fn and(self, other: Filter<M>) -> Self {
        self.joined(other, condition::and)
    }

    /// Matches when at least one of the two filters matches.
    pub fn or(self, other: Filter<M>) -> Self {
        self.joined(other, condition::or)
    }

    /// Matches when the filter does not match. The negation also matches a document without the field.
    #[allow(clippy::should_implement_trait, reason = "`!filter` is the same")]
    pub fn not(self) -> Self {
        Filter::of_depth(self.document.map(|condition| condition::nor(vec![condition])), self.depth + OPERATOR_DEPTH)
    }

    /// Matches when all filters match; an empty list matches every document.
    pub fn all_of(filters: impl IntoIterator<Item = Filter<M>>) -> Self {
        filters.into_iter().fold(Filter::all(), Filter::and)
    }

    /// Matches when some filter matches; an empty list matches no document.
    pub fn any_of(filters: impl IntoIterator<Item = Filter<M>>) -> Self {
        filters.into_iter().reduce(Filter::or).unwrap_or_else(Filter::none)
    }

    /// Matches when no filter matches; an empty list matches every document.
    pub fn nor(filters: impl IntoIterator<Item = Filter<M>>) -> Self {
        let documents: Result<Vec<Document>> = filters.into_iter().map(|filter| filter.document).collect();
        Filter::from_parts(documents.map(condition::nor))
    }

    /// Returns the document for the server.
    ///
    /// # Errors
    /// [`Error::Encode`](crate::Error::Encode) when a value could not be written as BSON,
    /// [`Error::Filter`](crate::Error::Filter) when the server has no words for a condition, or the conditions are
    /// nested more than 90 levels deep.
    pub fn into_document(self) -> Result<Document> {
        self.document
    }

    pub(crate) fn from_parts(document: Result<Document>) -> Self {
        // The depth is unknown, and `of_depth` counts the levels.
        Filter::of_depth(document, usize::MAX)
    }

    /// Makes a filter of at most `depth` levels, or an error when the document is too deep. All work on a filter
    /// descends through the levels, and a deep filter would overflow the stack.
    fn of_depth(document: Result<Document>, depth: usize) -> Self {
        let (document, depth) = match document {
            Ok(document) if depth > MAX_DEPTH => {
                let depth = condition::depth(&document, MAX_DEPTH);
                (if depth > MAX_DEPTH { Err(TOO_DEEP) } else { Ok(document) }, depth)
            }
            Ok(document) => (Ok(document), depth),
            Err(error) => (Err(error), 0),
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

    /// Matches when `path` equals `value`.
    pub(crate) fn equal(path: String, value: Result<Bson>) -> Self {
        Filter::from_parts(value.map(|value| condition::equal(path, value)))
    }
}

/// Matches when the stored field `name` has the slug, or the list `kept` of earlier slugs has the slug.
pub fn slug_filter<M, T>(name: &str, slug: impl IntoValue<T>, kept: Option<&str>) -> Filter<M> {
    let value = slug.into_value();
    let condition = value.map(|slug| match kept {
        Some(kept) => condition::or(condition::equal(name.to_owned(), slug.clone()), doc! { kept: slug }),
        None => condition::equal(name.to_owned(), slug),
    });
    Filter::from_parts(condition)
}

/// Matches every document, as [`Filter::all`].
impl<M> Default for Filter<M> {
    fn default() -> Self {
        Filter::all()
    }
}

/// Shows the conditions, without the values.
impl<M> fmt::Debug for Filter<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.document {
            Ok(document) => write!(formatter, "Filter({})", without_values(document)),
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

//! Keys of a sort.

use std::{fmt, marker::PhantomData};

use derive_where::derive_where;

use super::{
    Element, OneValue, Path, Token,
    access::{Access, NotHidden},
    class::Sortable,
    text_search::TextIndexed,
};

/// A key of a sort of the documents of `M`. A key of another model does not compile where a key of `M` is needed.
#[must_use = "a sort key alone does nothing: give the key to `sort`"]
#[derive_where(Clone)]
pub struct SortKey<M> {
    path: String,
    descending: bool,
    model: PhantomData<fn() -> M>,
}

/// The directions of a sort, on every token of a field with a single value that has an order: `Person::F.name.asc()`.
///
/// Null and an absent field are equal and less than every value. NaN is less than every other number, `false` less than
/// `true`; strings are compared by bytes, `"Z"` before `"a"`, and a unit enum by the stored string.
pub trait SortOperators: Token {
    /// Ascending (1).
    fn asc(self) -> SortKey<Self::Model>
    where
        Self::Class: Sortable<Self::Value>,
        Self::Path: OneKey,
        Access<Self::Access>: NotHidden,
    {
        key::<Self>(false)
    }

    /// Descending (-1).
    fn desc(self) -> SortKey<Self::Model>
    where
        Self::Class: Sortable<Self::Value>,
        Self::Path: OneKey,
        Access<Self::Access>: NotHidden,
    {
        key::<Self>(true)
    }
}

impl<F: Token> SortOperators for F {}

/// A path that leads to one value of each document, so that a sort can use the value.
#[diagnostic::on_unimplemented(
    message = "this field is inside of an array, and a sort needs a single value of each document",
    label = "each element has a value of this field",
    note = "help: sort by a field outside of arrays and maps"
)]
pub trait OneKey: Path {}

#[diagnostic::do_not_recommend]
impl<P: OneValue> OneKey for P {}

/// A key of a sort of the documents of `M`: a [`SortKey`] of `M`.
#[diagnostic::on_unimplemented(
    message = "this is not a sort key of `{M}`",
    label = "this has the type `{Self}`",
    note = "help: write a field of the model that is read, with a direction: `{M}::F.name.asc()` or `{M}::F.name.desc()`"
)]
pub trait SortKeyOf<M> {
    #[doc(hidden)]
    fn into_key(self) -> SortKey<M>;
}

#[diagnostic::do_not_recommend]
impl<M> SortKeyOf<M> for SortKey<M> {
    fn into_key(self) -> SortKey<M> {
        self
    }
}

/// The keys of a sort of the documents of `M`: a [`SortKey`] of `M`, or a list of keys.
#[diagnostic::on_unimplemented(
    message = "this is no sort key of `{M}`, and no list of sort keys",
    label = "this has the type `{Self}`",
    note = "help: write fields of the model that is read, each with a direction: `{M}::F.name.asc()`, or \
            `[{M}::F.name.asc(), {M}::F.age.desc()]`"
)]
pub trait SortKeys<M> {
    /// Returns the stored paths; `true` for descending.
    #[doc(hidden)]
    fn into_paths(self) -> Vec<(String, bool)>;
}

#[diagnostic::do_not_recommend]
impl<M, I: IntoIterator<Item: SortKeyOf<M>>> SortKeys<M> for I {
    fn into_paths(self) -> Vec<(String, bool)> {
        self.into_iter().map(|key| key.into_key().into_parts()).collect()
    }
}

/// A key of a sort of the elements of an array: a [`SortKey`] of a field of the element, or of the element itself.
#[diagnostic::on_unimplemented(
    message = "this is not a sort key of elements of type `{E}`",
    label = "this has the type `{Self}`",
    note = "help: write a field of the element, with a direction: `.sort(|element| element.name.asc())`"
)]
pub trait SortKeyOfElement<E> {
    #[doc(hidden)]
    fn into_key(self) -> SortKey<Element<E>>;
}

#[diagnostic::do_not_recommend]
impl<E> SortKeyOfElement<E> for SortKey<Element<E>> {
    fn into_key(self) -> SortKey<Element<E>> {
        self
    }
}

/// The path of the key by the score of a text search. No field begins with a `$`.
pub(crate) const SCORE_KEY: &str = "$score";
/// The name under which the server returns the score of a text search.
pub(crate) const SCORE: &str = "_schema_score";

impl<M> SortKey<M> {
    /// By the score of the text search, the best document first. The read has a [`Filter::text`](crate::Filter::text);
    /// without such a condition the server refuses the read.
    ///
    /// ```
    /// # use schema_runtime::{field::SortKey, prelude::*};
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")] #[index(text(title))]
    /// # struct Post { #[serde(rename = "_id")] id: ObjectId, title: String }
    /// let best = Post::find(Filter::text("coffee")).sort([SortKey::score(), Post::F.id.asc()]).limit(20);
    /// # let _ = best;
    /// ```
    pub fn score() -> Self
    where
        M: TextIndexed,
    {
        SortKey { path: SCORE_KEY.to_owned(), descending: true, model: PhantomData }
    }
}

fn key<F: Token>(descending: bool) -> SortKey<F::Model> {
    SortKey { path: F::Path::NODE.join(), descending, model: PhantomData }
}

impl<M> SortKey<M> {
    /// Returns the stored path, and whether the key is descending.
    pub(crate) fn into_parts(self) -> (String, bool) {
        (self.path, self.descending)
    }
}

/// A single key is a sort, too.
impl<M> IntoIterator for SortKey<M> {
    type Item = Self;
    type IntoIter = std::iter::Once<Self>;

    fn into_iter(self) -> Self::IntoIter {
        std::iter::once(self)
    }
}

impl<M> fmt::Debug for SortKey<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("SortKey").field(&self.path).field(&if self.descending { -1 } else { 1 }).finish()
    }
}

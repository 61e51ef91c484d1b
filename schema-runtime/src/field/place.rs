//! Places in a document: the fields of structs, the entries of maps, and the paths inside of raw values.

use std::marker::PhantomData;

use derive_where::derive_where;

use super::{
    Element, ElementToken, Field, OneValue, Path, PathNode, Token,
    class::{AnyValue, Anything, InMap, MapOf, Positioned, RawDocuments},
    keys,
    token::Narrow,
};
use crate::{definition::Shape, error::Result};

/// A place in the documents of a model: the token of a field, an entry of a map, or a path inside of a raw value.
/// Conditions ([`QueryOperators`](super::QueryOperators)) and changes ([`UpdateOperators`](super::UpdateOperators))
/// name a place.
#[diagnostic::on_unimplemented(
    message = "this is not a stored field",
    label = "no stored field",
    note = "help: write a field of a model, as `Person::F.name`; of a flat struct (`#[embed(flat)]`) the fields are stored: `Person::F.home.city`"
)]
pub trait Place: Copy {
    /// The model, or [`Element`] in a condition on an element of an array.
    type Model;
    /// The type of the value.
    type Value;
    /// The path of the field; of an entry and of a path inside of a value, the fields on the way.
    type Path: Path;
    /// The class of the type: the operators that fit the value.
    type Class;
    /// The right to change the value, as a type.
    type Access;
    /// The stored shape of the value; `None` for an `#[opaque]` field.
    #[doc(hidden)]
    const SHAPE: Option<&'static Shape>;

    /// Hands the path to `visit`.
    ///
    /// # Errors
    /// [`Error::Encode`](crate::Error::Encode) for a key or a path that the server would read as another path.
    #[doc(hidden)]
    fn with_node<R>(self, visit: impl FnOnce(&PathNode<'_>) -> R) -> Result<R>;
}

/// The value under a key of the map at `F`: `Post::F.scores.key("ann")`.
/// `V` is the type of the value.
#[derive_where(Clone, Copy, Debug; F)]
pub struct Entry<'k, F, V> {
    map: F,
    key: &'k str,
    value: PhantomData<fn() -> V>,
}

/// The element at a position of the list at `F`: `Post::F.tags.at_index(0)`.
/// `V` is the type of the element.
#[derive_where(Clone, Copy, Debug; F)]
pub struct AtIndex<F, V> {
    list: F,
    index: u32,
    element: PhantomData<fn() -> V>,
}

/// A field inside of the entry `E` of a map; `V` is the token of the field in the embedded struct.
#[derive_where(Clone, Copy, Debug; E)]
pub struct InEntry<E, V> {
    entry: E,
    field: PhantomData<fn() -> V>,
}

/// The value at a path inside of the raw value at `F`: `Post::F.meta.at_path("a.b")`.
/// `V` is [`AnyValue`].
#[derive_where(Clone, Copy, Debug; F)]
pub struct RawPath<'k, F, V = AnyValue> {
    value: F,
    path: &'k str,
    inner: PhantomData<fn() -> V>,
}

/// The fields of the path `Q` below the path `P`.
pub struct Below<P, Q>(PhantomData<fn() -> (P, Q)>);

impl<P: Path, Q: Path> Path for Below<P, Q> {
    const NODE: PathNode<'static> = P::NODE;
}

#[diagnostic::do_not_recommend]
impl<P: OneValue, Q: OneValue> OneValue for Below<P, Q> {}

/// The type of the values inside of the raw value at `F`.
pub type InnerOf<F> = <<F as Place>::Class as RawDocuments<<F as Place>::Value>>::Inner;

/// The type of the elements of the list at `F`.
pub type ElementAt<F> = <<F as Place>::Class as Positioned<<F as Place>::Value>>::Item;

/// The type of the values of the map at `F`.
pub type EntryOf<F> = <<F as Place>::Class as MapOf<<F as Place>::Value>>::Item;

/// The entries of maps and the paths inside of raw values, on every token of a field.
pub trait InnerPlaces: Place {
    /// Names the value under a key of a map, in filters and updates. The key is data, and may come from outside.
    ///
    /// ```
    /// # use std::collections::BTreeMap;
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")]
    /// # struct Post {
    /// #     #[serde(rename = "_id")] id: ObjectId, #[bound(max_items = 50)] scores: BTreeMap<String, i32>
    /// # }
    /// # fn example(id: ObjectId, user: &str) -> impl Sized {
    /// let good = Post::F.scores.key(user).gte(3);
    /// let more = Post::update_by_id(id).inc(Post::F.scores.key(user), 1);
    /// # (good, more)
    /// # }
    /// ```
    ///
    /// A key that is empty, or has a dot, a `$` or a NUL, is an [`Error::Encode`](crate::Error::Encode) before a
    /// command is sent: the server would read another path.
    fn key<'k>(self, key: &'k str) -> Entry<'k, Self, EntryOf<Self>>
    where
        Self::Class: MapOf<Self::Value>,
    {
        Entry { map: self, key, value: PhantomData }
    }

    /// Names the element at a position of a list, counted from 0, in filters and updates. A condition on an element
    /// that the list does not have fails, except `ne`, `not_in` and `exists(false)`. A change of such an element
    /// changes no document: `update_by_id` is [`Error::NotFound`](crate::Error::NotFound).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")]
    /// # struct Post { #[serde(rename = "_id")] id: ObjectId, #[bound(max_items = 9)] tags: Vec<String> }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// let renamed = Post::update_by_id(id).set(Post::F.tags.at_index(0), "news");
    /// # renamed
    /// # }
    /// assert_eq!(Post::F.tags.at_index(0).eq("old").into_document()?, doc! { "tags.0": "old" });
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// An element that is a map or a raw value is an [`Error::Encode`](crate::Error::Encode) before a command is sent:
    /// to the server the position could also be a key of the map.
    fn at_index(self, index: u32) -> AtIndex<Self, ElementAt<Self>>
    where
        Self::Class: Positioned<Self::Value>,
    {
        AtIndex { list: self, index, element: PhantomData }
    }

    /// Names the value at a path inside of a raw value, in filters and updates: names and positions, joined by dots.
    /// The path is data, and may come from outside.
    ///
    /// ```
    /// # use schema_runtime::{bson::Document, prelude::*};
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")]
    /// # struct Post { #[serde(rename = "_id")] id: ObjectId, #[bound(max_bytes = 4_000)] meta: Document }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// let wide = Post::F.meta.at_path("image.width").gte(1_000);
    /// let named = Post::update_by_id(id).set(Post::F.meta.at_path("image.title"), "Oslo");
    /// # (wide, named)
    /// # }
    /// ```
    ///
    /// A path with an empty name, a `$` or a NUL is an [`Error::Encode`](crate::Error::Encode) before a command is
    /// sent.
    fn at_path<'k>(self, path: &'k str) -> RawPath<'k, Self, InnerOf<Self>>
    where
        Self::Class: RawDocuments<Self::Value>,
    {
        RawPath { value: self, path, inner: PhantomData }
    }
}

impl<F: Place> InnerPlaces for F {}

impl<F: Place, V: Field> Entry<'_, F, V> {
    /// Names a field of the embedded struct under the key:
    /// `Post::F.homes.key("ann").inside(|home| home.city).eq("Oslo")`.
    pub fn inside<I>(self, _: impl FnOnce(ElementToken<V>) -> I) -> InEntry<Self, I>
    where
        I: Token<Model = Element<V>>,
    {
        InEntry { entry: self, field: PhantomData }
    }
}

impl<F: Place, V: Field> AtIndex<F, V> {
    /// Names a field of the embedded struct at the position:
    /// `Person::F.addresses.at_index(0).inside(|address| address.city).eq("Oslo")`.
    pub fn inside<I>(self, _: impl FnOnce(ElementToken<V>) -> I) -> InEntry<Self, I>
    where
        I: Token<Model = Element<V>>,
    {
        InEntry { entry: self, field: PhantomData }
    }
}

#[diagnostic::do_not_recommend]
impl<F: Place, V: Field> Place for AtIndex<F, V> {
    type Model = F::Model;
    type Value = V;
    type Path = F::Path;
    type Class = V::Class;
    type Access = F::Access;
    const SHAPE: Option<&'static Shape> = Some(&V::SHAPE);

    fn with_node<R>(self, visit: impl FnOnce(&PathNode<'_>) -> R) -> Result<R> {
        self.list.with_node(|list| {
            let index = self.index.to_string();
            let element = list.element(&index, &V::SHAPE);
            keys::check_index(&element, &index)?;
            Ok(visit(&element))
        })?
    }
}

#[diagnostic::do_not_recommend]
impl<F: Place, V: Field> Place for Entry<'_, F, V> {
    type Model = F::Model;
    type Value = V;
    type Path = F::Path;
    type Class = InMap<V::Class>;
    type Access = F::Access;
    const SHAPE: Option<&'static Shape> = Some(&V::SHAPE);

    fn with_node<R>(self, visit: impl FnOnce(&PathNode<'_>) -> R) -> Result<R> {
        self.map.with_node(|map| {
            keys::check_key(map, self.key)?;
            Ok(visit(&map.key(self.key)))
        })?
    }
}

#[diagnostic::do_not_recommend]
impl<E: Place, V: Token> Place for InEntry<E, V>
where
    E::Access: Narrow<V::Access>,
{
    type Model = E::Model;
    type Value = V::Value;
    type Path = Below<E::Path, V::Path>;
    type Class = V::Class;
    type Access = <E::Access as Narrow<V::Access>>::Access;
    const SHAPE: Option<&'static Shape> = V::SHAPE;

    fn with_node<R>(self, visit: impl FnOnce(&PathNode<'_>) -> R) -> Result<R> {
        self.entry.with_node(|entry| {
            let (mut visit, mut visited) = (Some(visit), None);
            V::Path::NODE.below(entry, &mut |node| visited = visit.take().map(|visit| visit(node)));
            // `below` visits one node.
            visited.ok_or_else(|| keys::unfit(entry, "the path has no end"))
        })?
    }
}

#[diagnostic::do_not_recommend]
impl<F: Place, V> Place for RawPath<'_, F, V> {
    type Model = F::Model;
    type Value = V;
    type Path = F::Path;
    type Class = Anything;
    type Access = F::Access;
    const SHAPE: Option<&'static Shape> = F::SHAPE;

    fn with_node<R>(self, visit: impl FnOnce(&PathNode<'_>) -> R) -> Result<R> {
        self.value.with_node(|value| {
            keys::check_path(value, self.path)?;
            Ok(visit(&value.inside(self.path)))
        })?
    }
}

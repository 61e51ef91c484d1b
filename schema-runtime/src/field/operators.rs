//! The query operators of MongoDB, each on the types that the operator fits.

mod fields;
mod form;

use std::ops::{Bound, RangeBounds};

use mongodb::bson::{Bson, Document, doc};

use super::{
    AsPattern, Element, ElementToken, Filter, IntoValue, OneValue, Path, PathNode, Pattern, Place, Token,
    canonical::{canonical, canonical_item, canonical_items},
    class::{ArrayOf, Located, Nullable, OnPlane, Ordered, Textual},
    condition, of_element,
};
pub use fields::{ComparedWith, FieldComparisons, OrderedWith, SameGroup, Single, WholeDocument};
pub use form::FormOperators;

use crate::{
    error::{Error, Result},
    geo::{Area, PlaneArea, Point, position},
};

/// The type of an element of the field `F`.
pub type ItemOf<F> = <<F as Place>::Class as ArrayOf<<F as Place>::Value>>::Item;

/// The type of the values that the field `F` is compared with by order.
pub type OperandOf<F> = <<F as Place>::Class as Ordered<<F as Place>::Value>>::Operand;

/// The query operators, on every token of a field, entry of a map and path inside of a raw value. A value is always a
/// value: no part of a value becomes an operator.
///
/// A field of the structs in an array is compared in each struct: `Person::F.addresses.city.eq("Oslo")` holds when
/// some address has the value, and `ne` when no address has the value.
pub trait QueryOperators: Place {
    /// Returns the stored path, joined by dots.
    fn path(self) -> String
    where
        Self: Token,
    {
        Self::Path::NODE.join()
    }

    /// The field equals the value (`$eq`). An array is compared as a whole, in order; see
    /// [`contains`](QueryOperators::contains).
    fn eq(self, value: impl IntoValue<Self::Value>) -> Filter<Self::Model> {
        asked(self, |node| condition::equals(node, whole::<Self>(node, value.into_value())))
    }

    /// The field does not equal the value (`$ne`). The condition also holds for an absent field.
    fn ne(self, value: impl IntoValue<Self::Value>) -> Filter<Self::Model> {
        asked(self, |node| condition::differs(node, whole::<Self>(node, value.into_value())))
    }

    /// The field equals some value of the list (`$in`).
    fn is_in<V: IntoValue<Self::Value>>(self, values: impl IntoIterator<Item = V>) -> Filter<Self::Model> {
        asked(self, |node| condition::among(node, each_whole::<Self>(node, all_values(values))))
    }

    /// The field equals no value of the list (`$nin`). The condition also holds for an absent field.
    fn not_in<V: IntoValue<Self::Value>>(self, values: impl IntoIterator<Item = V>) -> Filter<Self::Model> {
        asked(self, |node| condition::not_among(node, each_whole::<Self>(node, all_values(values))))
    }

    /// The field is more than the value (`$gt`). Null and an absent field are neither more nor less than any value.
    fn gt(self, value: impl IntoValue<OperandOf<Self>>) -> Filter<Self::Model>
    where
        Self::Class: Ordered<Self::Value>,
    {
        asked(self, |node| condition::compares(node, "$gt", whole::<Self>(node, value.into_value())))
    }

    /// The field is the value or more (`$gte`).
    fn gte(self, value: impl IntoValue<OperandOf<Self>>) -> Filter<Self::Model>
    where
        Self::Class: Ordered<Self::Value>,
    {
        asked(self, |node| condition::compares(node, "$gte", whole::<Self>(node, value.into_value())))
    }

    /// The field is less than the value (`$lt`).
    fn lt(self, value: impl IntoValue<OperandOf<Self>>) -> Filter<Self::Model>
    where
        Self::Class: Ordered<Self::Value>,
    {
        asked(self, |node| condition::compares(node, "$lt", whole::<Self>(node, value.into_value())))
    }

    /// The field is the value or less (`$lte`).
    fn lte(self, value: impl IntoValue<OperandOf<Self>>) -> Filter<Self::Model>
    where
        Self::Class: Ordered<Self::Value>,
    {
        asked(self, |node| condition::compares(node, "$lte", whole::<Self>(node, value.into_value())))
    }

    /// The field is within the range: `between(5..10)`, `between(..=9)`. On a path through an array the two ends could
    /// hold for two different elements, and the call does not compile.
    fn between<V>(self, range: impl RangeBounds<V>) -> Filter<Self::Model>
    where
        Self::Class: Ordered<Self::Value>,
        Self::Path: OneValue,
        V: IntoValue<OperandOf<Self>> + Clone,
    {
        let ends = [end(range.start_bound(), "$gte", "$gt"), end(range.end_bound(), "$lte", "$lt")];
        asked(self, |node| {
            condition::between(
                node,
                ends.map(|end| end.map(|(operator, value)| (operator, whole::<Self>(node, value)))),
            )
        })
    }

    /// The document has the field, also with null, or, with `exists` false, does not have the field (`$exists`).
    fn exists(self, exists: bool) -> Filter<Self::Model> {
        asked(self, |node| condition::compares(node, "$exists", Ok(exists.into())))
    }

    /// The field is null or absent, and reads as `None`.
    fn is_null(self) -> Filter<Self::Model>
    where
        Self::Class: Nullable<Self::Value>,
    {
        asked(self, |node| condition::equals(node, Ok(Bson::Null)))
    }

    /// The field is neither null nor absent, and reads as `Some`.
    fn is_not_null(self) -> Filter<Self::Model>
    where
        Self::Class: Nullable<Self::Value>,
    {
        asked(self, |node| condition::compares(node, "$ne", Ok(Bson::Null)))
    }

    /// The string contains the text, as the text is: no character has a meaning. No index bounds the search.
    fn contains_text(self, text: &str) -> Filter<Self::Model>
    where
        Self::Class: Textual<Self::Value>,
    {
        matches(self, Pattern::of_contained(text))
    }

    /// The string contains the text, with letters in either case.
    fn contains_text_ignoring_case(self, text: &str) -> Filter<Self::Model>
    where
        Self::Class: Textual<Self::Value>,
    {
        matches(self, Pattern::of_contained(text).map(Pattern::case_insensitive))
    }

    /// The string starts with the text. An index serves the condition, also an index that leaves out null.
    fn starts_with(self, text: &str) -> Filter<Self::Model>
    where
        Self::Class: Textual<Self::Value>,
    {
        matches(self, Pattern::of_start(text))
    }

    /// The string starts with the text, with letters in either case. No index bounds the search.
    fn starts_with_ignoring_case(self, text: &str) -> Filter<Self::Model>
    where
        Self::Class: Textual<Self::Value>,
    {
        matches(self, Pattern::of_start(text).map(Pattern::case_insensitive))
    }

    /// The string ends with the text. No index bounds the search.
    fn ends_with(self, text: &str) -> Filter<Self::Model>
    where
        Self::Class: Textual<Self::Value>,
    {
        matches(self, Pattern::of_end(text))
    }

    /// The string ends with the text, with letters in either case.
    fn ends_with_ignoring_case(self, text: &str) -> Filter<Self::Model>
    where
        Self::Class: Textual<Self::Value>,
    {
        matches(self, Pattern::of_end(text).map(Pattern::case_insensitive))
    }

    /// The string matches the pattern (`$regex`), which is a [`Pattern`] of the program: a text does not compile here.
    fn regex(self, pattern: impl AsPattern) -> Filter<Self::Model>
    where
        Self::Class: Textual<Self::Value>,
    {
        asked(self, |node| condition::matches(node, pattern.as_pattern()))
    }

    /// The array has the value as an element.
    fn contains(self, value: impl IntoValue<ItemOf<Self>>) -> Filter<Self::Model>
    where
        Self::Class: ArrayOf<Self::Value>,
    {
        asked(self, |node| condition::contains(node, item::<Self>(node, value.into_value())))
    }

    /// The array has one of the values as an element (`$in`). An empty list matches no document.
    fn contains_any<V: IntoValue<ItemOf<Self>>>(self, values: impl IntoIterator<Item = V>) -> Filter<Self::Model>
    where
        Self::Class: ArrayOf<Self::Value>,
    {
        asked(self, |node| condition::contains_any(node, items::<Self>(node, all_values(values))))
    }

    /// The array has each of the values as an element (`$all`), in any order. An empty list matches every document.
    fn all<V: IntoValue<ItemOf<Self>>>(self, values: impl IntoIterator<Item = V>) -> Filter<Self::Model>
    where
        Self::Class: ArrayOf<Self::Value>,
    {
        asked(self, |node| condition::contains_all(node, items::<Self>(node, all_values(values))))
    }

    /// The array has `size` elements (`$size`).
    fn size(self, size: u32) -> Filter<Self::Model>
    where
        Self::Class: ArrayOf<Self::Value>,
    {
        asked(self, |node| condition::compares(node, "$size", Ok(i64::from(size).into())))
    }

    /// The array has an element for which the whole condition holds (`$elemMatch`):
    /// `Person::F.addresses.elem_match(|address| address.city.eq("Oslo").and(address.cc.eq("NO")))`.
    fn elem_match(
        self,
        condition: impl FnOnce(ElementToken<ItemOf<Self>>) -> Filter<Element<ItemOf<Self>>>,
    ) -> Filter<Self::Model>
    where
        Self::Class: ArrayOf<Self::Value>,
    {
        let condition = condition(ElementToken::NEW).into_document();
        asked(self, |node| of_element::elem_match(node, condition))
    }

    /// The place is at most `max_metres` from the given place, the nearest first (`$nearSphere`). The condition needs
    /// a
    /// `#[index(geo)]`. A query has at most one `near`; the condition cannot be negated, and `count` does not take the
    /// condition.
    fn near(self, place: Point, max_metres: f64) -> Filter<Self::Model>
    where
        Self::Class: Located<Self::Value>,
    {
        let geometry = doc! { "type": "Point", "coordinates": position(place) };
        let near = doc! { "$geometry": geometry, "$maxDistance": max_metres };
        asked(self, |node| condition::compares(node, "$nearSphere", Ok(near.into())))
    }

    /// The place is in the area (`$geoWithin`).
    fn within(self, area: Area) -> Filter<Self::Model>
    where
        Self::Class: Located<Self::Value>,
    {
        asked(self, |node| condition::compares(node, "$geoWithin", Ok(area.into_document().into())))
    }

    /// The place on a plane is at most `max_distance` from the given place, the nearest first (`$near`), in the unit of
    /// the coordinates. The condition needs a `#[index(geo_2d)]`. A query has at most one `near_2d`; the condition
    /// cannot be negated, and `count` does not take the condition.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "goods")]
    /// # struct Goods { #[serde(rename = "_id")] id: ObjectId, #[index(geo_2d)] shelf: [f64; 2] }
    /// assert!(Goods::F.shelf.near_2d([12.0, 7.5], 3.0).into_document()?.contains_key("shelf"));
    /// # Ok::<(), Error>(())
    /// ```
    fn near_2d(self, place: [f64; 2], max_distance: f64) -> Filter<Self::Model>
    where
        Self::Class: OnPlane<Self::Value>,
    {
        let near = doc! { "$near": place.to_vec(), "$maxDistance": max_distance };
        asked(self, |node| condition::holds(node, near))
    }

    /// The place on a plane is in the area (`$geoWithin`).
    ///
    /// ```
    /// # use schema_runtime::{PlaneArea, prelude::*};
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "goods")]
    /// # struct Goods { #[serde(rename = "_id")] id: ObjectId, #[index(geo_2d)] shelf: [f64; 2] }
    /// let corner = PlaneArea::rectangle([0.0, 0.0], [5.0, 5.0]);
    /// assert!(Goods::F.shelf.within_2d(corner).into_document()?.contains_key("shelf"));
    /// # Ok::<(), Error>(())
    /// ```
    fn within_2d(self, area: PlaneArea) -> Filter<Self::Model>
    where
        Self::Class: OnPlane<Self::Value>,
    {
        asked(self, |node| condition::compares(node, "$geoWithin", Ok(area.into_document().into())))
    }

    /// The place is in the area, or on the border of the area (`$geoIntersects`). The area is a polygon: a circle is an
    /// [`Error::Filter`](crate::Error::Filter) before a command is sent, since the server takes no circle here.
    ///
    /// ```
    /// # use schema_runtime::{Area, Point, prelude::*};
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "shops")]
    /// # struct Shop { #[serde(rename = "_id")] id: ObjectId, #[index(geo)] place: Point }
    /// let district = Area::polygon([Point::new(10.7, 59.9), Point::new(10.8, 59.9), Point::new(10.8, 60.0)]);
    /// assert!(Shop::F.place.intersects(district).into_document()?.contains_key("place"));
    /// # Ok::<(), Error>(())
    /// ```
    fn intersects(self, area: Area) -> Filter<Self::Model>
    where
        Self::Class: Located<Self::Value>,
    {
        let operand = area
            .into_geometry()
            .map(Bson::from)
            .ok_or(Error::Filter { message: "`intersects` takes a polygon: write `within` for a circle" });
        asked(self, |node| condition::compares(node, "$geoIntersects", operand))
    }
}

impl<F: Place> QueryOperators for F {}

/// Makes the filter of a condition on the place.
fn asked<F: Place>(place: F, condition: impl FnOnce(&PathNode<'_>) -> Result<Document>) -> Filter<F::Model> {
    let of_variants = |node: &PathNode<'_>| condition(node).map(|condition| condition::of_variants(node, condition));
    Filter::from_parts(place.with_node(of_variants).and_then(|condition| condition))
}

/// Makes the filter of a text search; `pattern` may be the error of a text that is too long.
fn matches<F: Place>(place: F, pattern: Result<Pattern>) -> Filter<F::Model> {
    asked(place, |node| pattern.and_then(|pattern| condition::matches(node, &pattern)))
}

/// Converts a value of the place to the stored form.
fn whole<F: Place>(node: &PathNode<'_>, value: Result<Bson>) -> Result<Bson> {
    canonical(F::SHAPE, value?).map_err(|misfit| misfit.at(&node.join()))
}

fn each_whole<F: Place>(node: &PathNode<'_>, values: Result<Vec<Bson>>) -> Result<Vec<Bson>> {
    values?.into_iter().map(|value| whole::<F>(node, Ok(value))).collect()
}

/// Converts values of elements of the place to the stored form.
fn items<F: Place>(node: &PathNode<'_>, values: Result<Vec<Bson>>) -> Result<Vec<Bson>> {
    canonical_items(F::SHAPE, values?).map_err(|misfit| misfit.at(&node.join()))
}

fn item<F: Place>(node: &PathNode<'_>, value: Result<Bson>) -> Result<Bson> {
    canonical_item(F::SHAPE, value?).map_err(|misfit| misfit.at(&node.join()))
}

fn all_values<T, V: IntoValue<T>>(values: impl IntoIterator<Item = V>) -> Result<Vec<Bson>> {
    let mut all = Vec::new();
    for value in values {
        all.push(value.into_value()?);
    }
    Ok(all)
}

fn end<T, V: IntoValue<T> + Clone>(
    bound: Bound<&V>,
    included: &'static str,
    excluded: &'static str,
) -> Option<(&'static str, Result<Bson>)> {
    match bound {
        Bound::Included(value) => Some((included, value.clone().into_value())),
        Bound::Excluded(value) => Some((excluded, value.clone().into_value())),
        Bound::Unbounded => None,
    }
}

//! What can be asked of a field: MongoDB's query operators, each on the types that it fits.

use std::ops::{Bound, RangeBounds};

use mongodb::bson::{Bson, Document, doc};

use super::{
    Element, ElementToken, Filter, IntoValue, OneValue, Path, Pattern, Token,
    class::{ArrayOf, Located, Nullable, Ordered, Textual},
    condition,
};
use crate::{
    error::{Error, Result},
    geo::{Area, Point, position},
};

/// The type of an element of the field `F`.
pub type ItemOf<F> = <<F as Token>::Class as ArrayOf<<F as Token>::Value>>::Item;

/// The type that the field `F` is compared with by order.
pub type OperandOf<F> = <<F as Token>::Class as Ordered<<F as Token>::Value>>::Operand;

/// The query operators, on every token of a field. A value is always a value: nothing in it becomes an operator.
///
/// A field of the structs in an array is compared in each of them: `Person::F.addresses.city.eq("Oslo")` holds when some
/// address has it, and `ne` when none has.
pub trait QueryOperators: Token {
    /// The stored path, joined by dots.
    fn path(self) -> String {
        Self::Path::NODE.join()
    }

    /// The field equals the value (`$eq`). A whole array equals in its order; see [`contains`](QueryOperators::contains).
    fn eq(self, value: impl IntoValue<Self::Value>) -> Filter<Self::Model> {
        Filter::equal(self.path(), value.into_value())
    }

    /// The field does not equal the value (`$ne`); so does one that is absent.
    fn ne(self, value: impl IntoValue<Self::Value>) -> Filter<Self::Model> {
        compare(self, "$ne", value)
    }

    /// The field equals one of the values (`$in`).
    fn is_in<V: IntoValue<Self::Value>>(self, values: impl IntoIterator<Item = V>) -> Filter<Self::Model> {
        Filter::from_parts(all_values(values).map(|values| condition::among(self.path(), values)))
    }

    /// The field equals none of the values (`$nin`); so does one that is absent.
    fn not_in<V: IntoValue<Self::Value>>(self, values: impl IntoIterator<Item = V>) -> Filter<Self::Model> {
        Filter::from_parts(all_values(values).map(|values| condition::not_among(self.path(), values)))
    }

    /// The field is more than the value (`$gt`). Null and an absent field are neither more nor less than anything.
    fn gt(self, value: impl IntoValue<OperandOf<Self>>) -> Filter<Self::Model>
    where
        Self::Class: Ordered<Self::Value>,
    {
        compare(self, "$gt", value)
    }

    /// The field is the value or more (`$gte`).
    fn gte(self, value: impl IntoValue<OperandOf<Self>>) -> Filter<Self::Model>
    where
        Self::Class: Ordered<Self::Value>,
    {
        compare(self, "$gte", value)
    }

    /// The field is less than the value (`$lt`).
    fn lt(self, value: impl IntoValue<OperandOf<Self>>) -> Filter<Self::Model>
    where
        Self::Class: Ordered<Self::Value>,
    {
        compare(self, "$lt", value)
    }

    /// The field is the value or less (`$lte`).
    fn lte(self, value: impl IntoValue<OperandOf<Self>>) -> Filter<Self::Model>
    where
        Self::Class: Ordered<Self::Value>,
    {
        compare(self, "$lte", value)
    }

    /// The field is within the range: `between(5..10)`, `between(..=9)`. On a path through an array the two ends could hold for
    /// two elements, so it does not compile there.
    fn between<V>(self, range: impl RangeBounds<V>) -> Filter<Self::Model>
    where
        Self::Class: Ordered<Self::Value>,
        Self::Path: OneValue,
        V: IntoValue<OperandOf<Self>> + Clone,
    {
        let ends = [end(range.start_bound(), "$gte", "$gt"), end(range.end_bound(), "$lte", "$lt")];
        let mut operators = Document::new();
        for (operator, value) in ends.into_iter().flatten() {
            match value.into_value() {
                Ok(value) => operators.insert(operator, value),
                Err(error) => return Filter::from_parts(Err(error)),
            };
        }
        if operators.is_empty() {
            return Filter::all();
        }
        Filter::raw(doc! { self.path(): operators })
    }

    /// The document has the field, be it null, or has not (`$exists`).
    fn exists(self, exists: bool) -> Filter<Self::Model> {
        Filter::raw(doc! { self.path(): { "$exists": exists } })
    }

    /// The field is null or absent: what reads as `None`.
    fn is_null(self) -> Filter<Self::Model>
    where
        Self::Class: Nullable<Self::Value>,
    {
        Filter::raw(doc! { self.path(): Bson::Null })
    }

    /// The field is neither null nor absent: what reads as `Some`.
    fn is_not_null(self) -> Filter<Self::Model>
    where
        Self::Class: Nullable<Self::Value>,
    {
        Filter::raw(doc! { self.path(): { "$ne": Bson::Null } })
    }

    /// The string matches the pattern (`$regex`). A `&str` is a text that the string contains: what has a meaning in patterns
    /// is escaped.
    fn regex(self, pattern: impl Into<Pattern>) -> Filter<Self::Model>
    where
        Self::Class: Textual<Self::Value>,
    {
        Filter::raw(doc! { self.path(): pattern.into().into_condition() })
    }

    /// The string starts with the text. An index serves it.
    fn starts_with(self, text: &str) -> Filter<Self::Model>
    where
        Self::Class: Textual<Self::Value>,
    {
        self.regex(Pattern::starts_with(text))
    }

    /// The array has the value as an element.
    fn contains(self, value: impl IntoValue<ItemOf<Self>>) -> Filter<Self::Model>
    where
        Self::Class: ArrayOf<Self::Value>,
    {
        Filter::from_parts(value.into_value().map(|value| condition::contains(self.path(), value)))
    }

    /// The array has each of the values as an element (`$all`), in any order. No values are every document.
    fn all<V: IntoValue<ItemOf<Self>>>(self, values: impl IntoIterator<Item = V>) -> Filter<Self::Model>
    where
        Self::Class: ArrayOf<Self::Value>,
    {
        let each = values.into_iter().map(IntoValue::into_value).map(|value| {
            let operand = |value| doc! { "$elemMatch": { "$eq": value } };
            value.map(operand)
        });
        let each: Result<Vec<Document>> = each.collect();
        Filter::from_parts(each.map(|each| match each.is_empty() {
            true => Document::new(),
            false => doc! { self.path(): { "$all": each } },
        }))
    }

    /// The array has this many elements (`$size`).
    fn size(self, size: u32) -> Filter<Self::Model>
    where
        Self::Class: ArrayOf<Self::Value>,
    {
        Filter::raw(doc! { self.path(): { "$size": i64::from(size) } })
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
        Filter::from_parts(condition.and_then(|condition| condition::elem_match(&self.path(), condition)))
    }

    /// The place is at most `max_metres` from another, the nearest first (`$nearSphere`). Needs a `#[index(geo)]`; there is
    /// one such condition at most in a query, it cannot be negated, and `count` does not take it.
    fn near(self, place: Point, max_metres: f64) -> Filter<Self::Model>
    where
        Self::Class: Located<Self::Value>,
    {
        let geometry = doc! { "type": "Point", "coordinates": position(place) };
        Filter::raw(doc! { self.path(): { "$nearSphere": { "$geometry": geometry, "$maxDistance": max_metres } } })
    }

    /// The place is in the area (`$geoWithin`).
    fn within(self, area: Area) -> Filter<Self::Model>
    where
        Self::Class: Located<Self::Value>,
    {
        Filter::raw(doc! { self.path(): { "$geoWithin": area.into_document() } })
    }
}

impl<F: Token> QueryOperators for F {}

fn compare<F: Token, T>(field: F, operator: &str, value: impl IntoValue<T>) -> Filter<F::Model> {
    Filter::from_parts(value.into_value().map(|value| doc! { field.path(): { operator: value } }))
}

fn all_values<T, V: IntoValue<T>>(values: impl IntoIterator<Item = V>) -> Result<Vec<Bson>, Error> {
    values.into_iter().map(IntoValue::into_value).collect()
}

fn end<V: Clone>(bound: Bound<&V>, included: &'static str, excluded: &'static str) -> Option<(&'static str, V)> {
    match bound {
        Bound::Included(value) => Some((included, value.clone())),
        Bound::Excluded(value) => Some((excluded, value.clone())),
        Bound::Unbounded => None,
    }
}

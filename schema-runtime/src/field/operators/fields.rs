//! Comparisons of two fields of a document. The server compares two fields by an expression (`$expr`), and an
//! expression orders values of all types. The condition here also asks for the types, and so compares as the other
//! conditions do.

use mongodb::bson::{Document, doc};

use crate::field::{
    Filter, OneValue, Path, Record, Token,
    class::{
        Boolean, ByFunction, Date, Day, Enumeration, Identity, InternalTimestamp, Maybe, Number, Ordered, Text,
        WholeNumber,
    },
    condition,
};

/// The comparisons of a field with another field of the document. No comparison holds where a field is null, absent, an
/// array, or of a type that the other field is not compared with: `!` of the comparison then holds. NaN equals NaN, and
/// is neither more nor less than a number. No index serves such a comparison.
pub trait FieldComparisons: Token {
    /// The field equals the other field.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "goods")]
    /// # struct Good { #[serde(rename = "_id")] id: ObjectId, stock: i32, minimum: i32 }
    /// let at_the_minimum = Good::F.stock.eq_field(Good::F.minimum);
    /// assert!(at_the_minimum.into_document()?.contains_key("$expr"));
    /// # Ok::<(), Error>(())
    /// ```
    fn eq_field<G>(self, other: G) -> Filter<Self::Model>
    where
        Self: Token<Model: WholeDocument, Path: OneValue>,
        G: Token<Model = Self::Model, Path: OneValue>,
        Self::Class: ComparedWith<G::Class, Self::Value, G::Value>,
    {
        compared(self, "$eq", other, <Self::Class as ComparedWith<G::Class, Self::Value, G::Value>>::TYPES)
    }

    /// The field and the other field have different values.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "goods")]
    /// # struct Good { #[serde(rename = "_id")] id: ObjectId, stock: i32, minimum: i32 }
    /// let elsewhere = Good::F.stock.ne_field(Good::F.minimum);
    /// assert!(elsewhere.into_document()?.contains_key("$expr"));
    /// # Ok::<(), Error>(())
    /// ```
    fn ne_field<G>(self, other: G) -> Filter<Self::Model>
    where
        Self: Token<Model: WholeDocument, Path: OneValue>,
        G: Token<Model = Self::Model, Path: OneValue>,
        Self::Class: ComparedWith<G::Class, Self::Value, G::Value>,
    {
        compared(self, "$ne", other, <Self::Class as ComparedWith<G::Class, Self::Value, G::Value>>::TYPES)
    }

    /// The field is more than the other field.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "goods")]
    /// # struct Good { #[serde(rename = "_id")] id: ObjectId, stock: i32, minimum: i32 }
    /// let enough = Good::F.stock.gt_field(Good::F.minimum);
    /// assert!(enough.into_document()?.contains_key("$expr"));
    /// # Ok::<(), Error>(())
    /// ```
    fn gt_field<G>(self, other: G) -> Filter<Self::Model>
    where
        Self: Token<Model: WholeDocument, Path: OneValue>,
        G: Token<Model = Self::Model, Path: OneValue>,
        Self::Class: OrderedWith<G::Class, Self::Value, G::Value>,
    {
        compared(self, "$gt", other, <Self::Class as OrderedWith<G::Class, Self::Value, G::Value>>::TYPES)
    }

    /// The field is the value of the other field or more.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "goods")]
    /// # struct Good { #[serde(rename = "_id")] id: ObjectId, stock: i32, minimum: i32 }
    /// let enough = Good::F.stock.gte_field(Good::F.minimum);
    /// assert!(enough.into_document()?.contains_key("$expr"));
    /// # Ok::<(), Error>(())
    /// ```
    fn gte_field<G>(self, other: G) -> Filter<Self::Model>
    where
        Self: Token<Model: WholeDocument, Path: OneValue>,
        G: Token<Model = Self::Model, Path: OneValue>,
        Self::Class: OrderedWith<G::Class, Self::Value, G::Value>,
    {
        compared(self, "$gte", other, <Self::Class as OrderedWith<G::Class, Self::Value, G::Value>>::TYPES)
    }

    /// The field is less than the other field.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "goods")]
    /// # struct Good { #[serde(rename = "_id")] id: ObjectId, stock: i32, minimum: i32 }
    /// let to_be_ordered = Good::F.stock.lt_field(Good::F.minimum);
    /// assert!(to_be_ordered.into_document()?.contains_key("$expr"));
    /// # Ok::<(), Error>(())
    /// ```
    fn lt_field<G>(self, other: G) -> Filter<Self::Model>
    where
        Self: Token<Model: WholeDocument, Path: OneValue>,
        G: Token<Model = Self::Model, Path: OneValue>,
        Self::Class: OrderedWith<G::Class, Self::Value, G::Value>,
    {
        compared(self, "$lt", other, <Self::Class as OrderedWith<G::Class, Self::Value, G::Value>>::TYPES)
    }

    /// The field is the value of the other field or less.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "goods")]
    /// # struct Good { #[serde(rename = "_id")] id: ObjectId, stock: i32, minimum: i32 }
    /// let to_be_ordered = Good::F.stock.lte_field(Good::F.minimum);
    /// assert!(to_be_ordered.into_document()?.contains_key("$expr"));
    /// # Ok::<(), Error>(())
    /// ```
    fn lte_field<G>(self, other: G) -> Filter<Self::Model>
    where
        Self: Token<Model: WholeDocument, Path: OneValue>,
        G: Token<Model = Self::Model, Path: OneValue>,
        Self::Class: OrderedWith<G::Class, Self::Value, G::Value>,
    {
        compared(self, "$lte", other, <Self::Class as OrderedWith<G::Class, Self::Value, G::Value>>::TYPES)
    }
}

impl<F: Token> FieldComparisons for F {}

/// The document of a model, and no element of an array.
#[diagnostic::on_unimplemented(
    message = "two fields of an element of an array cannot be compared",
    label = "this field belongs to an element of an array",
    note = "help: the server compares two fields of a whole document; store the result in a field of the element"
)]
pub trait WholeDocument {}

#[diagnostic::do_not_recommend]
impl<M: Record> WholeDocument for M {}

/// A class of single values that the server compares with the values of a group of classes.
#[diagnostic::on_unimplemented(
    message = "the server computes no value of this kind",
    label = "this field holds no number, text, date, id, bool or enum of names",
    note = "help: name a field with a single value; write a whole array, map or struct with `set`"
)]
pub trait Single {
    /// The class that stands for the group.
    type Group;
    /// The class of a value that is not null.
    type Own;
    /// The types of the values in the server's words.
    const TYPES: &'static [&'static str];
}

macro_rules! single {
    ($($class:ident, $group:ident: $($types:literal)*;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Single for $class {
            type Group = $group;
            type Own = $class;
            const TYPES: &'static [&'static str] = &[$($types),*];
        }
    )*};
}

single! {
    WholeNumber, Number: "int" "long" "double" "decimal";
    Number, Number: "int" "long" "double" "decimal";
    Text, Text: "string";
    Enumeration, Enumeration: "string";
    Boolean, Boolean: "bool";
    Date, Date: "date";
    Day, Date: "date";
    InternalTimestamp, InternalTimestamp: "timestamp";
    Identity, Identity: "objectId" "binData";
}

macro_rules! single_inside {
    ($($class:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<C: Single> Single for $class<C> {
            type Group = C::Group;
            type Own = C::Own;
            const TYPES: &'static [&'static str] = C::TYPES;
        }
    )*};
}

single_inside! { Maybe ByFunction }

/// A group of classes, when the group is the same group.
pub trait SameGroup<G> {}

#[diagnostic::do_not_recommend]
impl<G> SameGroup<G> for G {}

/// A class of values of type `T` that are compared with the values of type `U` of the class `D`.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` is not compared with a field of type `{U}`",
    label = "this field has the type `{U}`, and the other field the type `{T}`",
    note = "help: compare two numbers, two strings, two enums of names, two dates, two ids or two bools"
)]
pub trait ComparedWith<D, T, U> {
    #[doc(hidden)]
    const TYPES: &'static [&'static str];
}

#[diagnostic::do_not_recommend]
impl<C: Single, D: Single, T, U> ComparedWith<D, T, U> for C
where
    C::Group: SameGroup<D::Group>,
{
    const TYPES: &'static [&'static str] = C::TYPES;
}

/// A class of values of type `T` that are more or less than the values of type `U` of the class `D`.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` has no order with a field of type `{U}`",
    label = "this field has the type `{U}`, and the other field the type `{T}`",
    note = "help: compare two numbers, two strings, two dates or two ids"
)]
pub trait OrderedWith<D, T, U> {
    #[doc(hidden)]
    const TYPES: &'static [&'static str];
}

#[diagnostic::do_not_recommend]
impl<C: Single + Ordered<()>, D: Single, T, U> OrderedWith<D, T, U> for C
where
    C::Group: SameGroup<D::Group>,
{
    const TYPES: &'static [&'static str] = C::TYPES;
}

/// Makes the filter of a comparison; both fields hold values of the types.
fn compared<F: Token, G: Token>(_: F, operator: &str, _: G, types: &[&str]) -> Filter<F::Model> {
    let (left, right) = (&F::Path::NODE, &G::Path::NODE);
    let condition = comparison(&left.join(), operator, &right.join(), types);
    Filter::from_parts(Ok(condition::of_variants(right, condition::of_variants(left, condition))))
}

fn comparison(left: &str, operator: &str, right: &str, types: &[&str]) -> Document {
    let (left, right) = (format!("${left}"), format!("${right}"));
    let has_type = |value: &String| doc! { "$in": [{ "$type": value }, types.to_vec()] };
    let mut all = vec![has_type(&left), has_type(&right)];
    if types.contains(&"objectId") {
        all.push(doc! { "$eq": [{ "$type": &left }, { "$type": &right }] });
    }
    let ordered = doc! { operator: [&left, &right] };
    // In an expression NaN is less than all numbers.
    let no_nan = [&left, &right].map(|value| doc! { "$ne": [value, f64::NAN] });
    match operator {
        "$gt" | "$lt" if types.contains(&"double") => all.extend(no_nan.into_iter().chain([ordered])),
        "$gte" | "$lte" if types.contains(&"double") => {
            let [left_is_number, right_is_number] = no_nan;
            let in_order = doc! { "$and": [left_is_number, right_is_number, ordered] };
            all.push(doc! { "$or": [{ "$eq": [&left, &right] }, in_order] });
        }
        _ => all.push(ordered),
    }
    doc! { "$expr": { "$and": all } }
}

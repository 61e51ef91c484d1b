//! Expressions of the fields of a document: the value that an update sets. The server computes the value.

use std::marker::PhantomData;

use derive_where::derive_where;
use mongodb::bson::{Bson, doc};
use serde::Serialize;

use super::{
    Field, OneValue, Path, PathNode, Place, Single, Token,
    class::{Boolean, Date, Day, InternalTimestamp, Number, Text, WholeNumber},
};
use crate::{
    definition::{Kind, Scalar, Shape},
    error::{Error, Result},
};

/// A value of the class `C` that the server computes from the fields of a document of `M`; see
/// [`set_expr`](super::FieldUpdates::set_expr).
#[derive_where(Clone)]
pub struct Expression<M, C> {
    parts: Result<Parts>,
    of: PhantomData<fn() -> (M, C)>,
}

/// The parts of an expression.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) expression: Bson,
    /// The fields in the expression, each with the types that the field must have.
    pub(crate) operands: Vec<(&'static PathNode<'static>, &'static [&'static str])>,
    pub(crate) numbers: Numbers,
}

/// The types of numbers in an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) has_double: bool,
    pub(crate) has_decimal: bool,
}

/// A part of an expression: a field, or an expression.
#[diagnostic::on_unimplemented(
    message = "this is neither a field with a single value nor an expression",
    label = "no part of an expression",
    note = "help: name a field that one document has once, as `Order::F.price`; write a value as `Expression::value(5)`"
)]
pub trait Operand: Sized {
    /// The model.
    type Model;
    /// The class of the value.
    type Class;
    /// Makes the expression.
    fn into_expression(self) -> Expression<Self::Model, Self::Class>;
}

#[diagnostic::do_not_recommend]
impl<F: Token<Path: OneValue, Class: Single>> Operand for F {
    type Model = F::Model;
    type Class = <F::Class as Single>::Own;

    fn into_expression(self) -> Expression<F::Model, Self::Class> {
        let node = &<F as Place>::Path::NODE;
        let (expression, operands) = (format!("${}", node.join()).into(), vec![(node, F::Class::TYPES)]);
        Expression::of(Ok(Parts { expression, operands, numbers: Numbers::of(F::SHAPE) }))
    }
}

impl<M, C> Operand for Expression<M, C> {
    type Model = M;
    type Class = C;

    fn into_expression(self) -> Self {
        self
    }
}

impl<M, C> Expression<M, C> {
    /// Makes an expression of a value. No part of the value becomes an operator or a field.
    ///
    /// ```
    /// # use schema_runtime::{Expression, prelude::*};
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, price: i64, total: i64 }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// Order::update_by_id(id).set_expr(Order::F.total, Order::F.price.times(Expression::value(3_i64)))
    /// # }
    /// ```
    pub fn value<V: Field<Class: Single<Own = C>> + Serialize>(value: V) -> Self {
        let parts = value.to_bson().and_then(|value| match value {
            Bson::Null => Err(Error::Update { message: "null is no value of an expression".to_owned() }),
            value => {
                let numbers = Numbers::of(Some(&V::SHAPE));
                Ok(Parts { expression: doc! { "$literal": value }.into(), operands: Vec::new(), numbers })
            }
        });
        Expression::of(parts)
    }

    pub(crate) fn into_parts(self) -> Result<Parts> {
        self.parts
    }

    fn of(parts: Result<Parts>) -> Self {
        Expression { parts, of: PhantomData }
    }
}

impl<M> Expression<M, Text> {
    /// Makes an expression of a text, as [`value`](Expression::value) of a `String`.
    ///
    /// ```
    /// # use schema_runtime::{Expression, prelude::*};
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "people")]
    /// # struct Person { #[serde(rename = "_id")] id: ObjectId, first: String, last: String, name: String }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// let f = Person::F;
    /// Person::update_by_id(id).set_expr(f.name, f.first.concat(Expression::text(" ")).concat(f.last))
    /// # }
    /// ```
    pub fn text(text: &str) -> Self {
        Expression::value(text.to_owned())
    }
}

/// The operations of expressions, on every token of a field with a single value and on every expression.
pub trait ExpressionOperators: Operand {
    /// The sum (`$add`). The sum of integers is an integer; with a number of another type, the sum has the other type.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, net: i64, tax: i64, total: i64 }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// Order::update_by_id(id).set_expr(Order::F.total, Order::F.net.plus(Order::F.tax))
    /// # }
    /// ```
    fn plus<O>(self, other: O) -> Expression<Self::Model, <Self::Class as Arithmetic<O::Class>>::Result>
    where
        O: Operand<Model = Self::Model>,
        Self::Class: Arithmetic<O::Class>,
    {
        joined("$add", self, other)
    }

    /// The difference (`$subtract`).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "goods")]
    /// # struct Good { #[serde(rename = "_id")] id: ObjectId, stock: u32, reserved: u32, free: u32 }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// Good::update_by_id(id).set_expr(Good::F.free, Good::F.stock.minus(Good::F.reserved))
    /// # }
    /// ```
    fn minus<O>(self, other: O) -> Expression<Self::Model, <Self::Class as Arithmetic<O::Class>>::Result>
    where
        O: Operand<Model = Self::Model>,
        Self::Class: Arithmetic<O::Class>,
    {
        joined("$subtract", self, other)
    }

    /// The product (`$multiply`).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, price: i64, quantity: u32, total: i64 }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// Order::update_by_id(id).set_expr(Order::F.total, Order::F.price.times(Order::F.quantity))
    /// # }
    /// ```
    fn times<O>(self, other: O) -> Expression<Self::Model, <Self::Class as Arithmetic<O::Class>>::Result>
    where
        O: Operand<Model = Self::Model>,
        Self::Class: Arithmetic<O::Class>,
    {
        joined("$multiply", self, other)
    }

    /// The lesser of two values of one class (`$min`).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "goods")]
    /// # struct Good { #[serde(rename = "_id")] id: ObjectId, list: i64, sale: i64, price: i64 }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// Good::update_by_id(id).set_expr(Good::F.price, Good::F.list.lesser_of(Good::F.sale))
    /// # }
    /// ```
    fn lesser_of<O>(self, other: O) -> Expression<Self::Model, Self::Class>
    where
        O: Operand<Model = Self::Model, Class = Self::Class>,
    {
        joined("$min", self, other)
    }

    /// The greater of two values of one class (`$max`).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "games")]
    /// # struct Game { #[serde(rename = "_id")] id: ObjectId, home: i64, away: i64, most: i64 }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// Game::update_by_id(id).set_expr(Game::F.most, Game::F.home.greater_of(Game::F.away))
    /// # }
    /// ```
    fn greater_of<O>(self, other: O) -> Expression<Self::Model, Self::Class>
    where
        O: Operand<Model = Self::Model, Class = Self::Class>,
    {
        joined("$max", self, other)
    }

    /// The text with the other text behind (`$concat`).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "people")]
    /// # struct Person { #[serde(rename = "_id")] id: ObjectId, first: String, last: String, initials: String }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// Person::update_by_id(id).set_expr(Person::F.initials, Person::F.first.concat(Person::F.last))
    /// # }
    /// ```
    fn concat<O>(self, other: O) -> Expression<Self::Model, Text>
    where
        Self: Operand<Class = Text>,
        O: Operand<Model = Self::Model, Class = Text>,
    {
        joined("$concat", self, other)
    }
}

impl<O: Operand> ExpressionOperators for O {}

/// A class of numbers that are computed with numbers of the class `D`.
#[diagnostic::on_unimplemented(
    message = "the server does not compute with these two values",
    label = "one of the two values is no number",
    note = "help: `plus`, `minus` and `times` are for numbers; write `concat` for two strings"
)]
pub trait Arithmetic<D> {
    /// The class of the result.
    type Result;
}

macro_rules! arithmetic {
    ($($class:ident $other:ident $result:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Arithmetic<$other> for $class {
            type Result = $result;
        }
    )*};
}

arithmetic! {
    WholeNumber WholeNumber WholeNumber;
    WholeNumber Number Number;
    Number WholeNumber Number;
    Number Number Number;
}

/// A class of values that a field of type `T` and of the class `D` takes from an expression.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` does not take the value of this expression",
    label = "the value is of another class than the field",
    note = "help: an integer takes integers, a float and a decimal take every number, a string takes strings, a date takes dates and a bool takes bools"
)]
pub trait AssignedTo<D, T> {}

#[diagnostic::do_not_recommend]
impl<T> AssignedTo<WholeNumber, T> for WholeNumber {}

#[diagnostic::do_not_recommend]
impl<T> AssignedTo<Number, T> for WholeNumber {}

#[diagnostic::do_not_recommend]
impl<T> AssignedTo<Number, T> for Number {}

#[diagnostic::do_not_recommend]
impl<T> AssignedTo<Text, T> for Text {}

#[diagnostic::do_not_recommend]
impl<T> AssignedTo<Boolean, T> for Boolean {}

#[diagnostic::do_not_recommend]
impl<T> AssignedTo<Date, T> for Date {}

#[diagnostic::do_not_recommend]
impl<T> AssignedTo<Day, T> for Day {}

#[diagnostic::do_not_recommend]
impl<T> AssignedTo<InternalTimestamp, T> for InternalTimestamp {}

impl Numbers {
    pub(crate) fn of(shape: Option<&Shape>) -> Self {
        let kind = shape.map(|shape| shape.kind);
        let has_double = matches!(kind, Some(Kind::Scalar(Scalar::Double | Scalar::Single)));
        Numbers { has_double, has_decimal: matches!(kind, Some(Kind::Scalar(Scalar::Decimal128))) }
    }
}

fn joined<A: Operand, B: Operand, M, C>(operator: &str, left: A, right: B) -> Expression<M, C> {
    let parts = left.into_expression().parts.and_then(|mut left| {
        let right = right.into_expression().parts?;
        left.expression = doc! { operator: [left.expression, right.expression] }.into();
        left.operands.extend(right.operands);
        left.numbers.has_double |= right.numbers.has_double;
        left.numbers.has_decimal |= right.numbers.has_decimal;
        Ok(left)
    });
    Expression::of(parts)
}

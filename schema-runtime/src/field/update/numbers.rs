//! Changes of numbers: subtractions, and changes of bits.

use mongodb::bson::{Bson, Decimal128, doc};

use super::{UpdateOperators, change};
use crate::{
    changes::Operator,
    error::{Error, Result},
    field::{
        Changeable, IntoValue, OneValue, Place,
        class::{BitField, Numeric},
    },
};

/// The changes of numbers, on every update.
pub trait NumberUpdates: UpdateOperators {
    /// Subtracts the amount from the number (`$inc` of the negative amount). An unsigned number of one document never
    /// falls below zero, with any number of writers: the filter of the command holds the guard, and an update that the
    /// guard refuses is [`Error::DocumentInvalid`]. See [the page `updates`](crate::guide).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "products")]
    /// # struct Product { #[serde(rename = "_id")] id: ObjectId, stock: u32 }
    /// async fn take(db: &Database, id: ObjectId, amount: u32) -> Result<bool> {
    ///     match Product::update_by_id(id).dec(Product::F.stock, amount).execute(db).await {
    ///         Ok(_) => Ok(true),
    ///         Err(Error::DocumentInvalid { .. }) => Ok(false), // too few are left
    ///         Err(error) => Err(error),
    ///     }
    /// }
    /// ```
    fn dec<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        field: F,
        amount: impl IntoValue<<F::Class as Numeric<F::Value>>::Operand>,
    ) -> Self
    where
        F::Class: Numeric<F::Value>,
    {
        let is_text_of_number = F::SHAPE.is_some_and(|shape| shape.form.is_some());
        change(self, Operator::Inc, field, amount.into_value().and_then(|amount| negative(amount, is_text_of_number)))
    }

    /// Keeps the bits of the mask, and clears all other bits (`$bit` with `and`).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "files")]
    /// # struct File { #[serde(rename = "_id")] id: ObjectId, mode: u32 }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// let private = File::update_by_id(id).bit_and(File::F.mode, 0o700);
    /// # private
    /// # }
    /// ```
    fn bit_and<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        field: F,
        mask: impl IntoValue<<F::Class as BitField<F::Value>>::Operand>,
    ) -> Self
    where
        F::Class: BitField<F::Value>,
    {
        bit(self, field, "and", mask.into_value())
    }

    /// Sets the bits of the mask (`$bit` with `or`).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "files")]
    /// # struct File { #[serde(rename = "_id")] id: ObjectId, mode: u32 }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// let executable = File::update_by_id(id).bit_or(File::F.mode, 0o100);
    /// # executable
    /// # }
    /// ```
    fn bit_or<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        field: F,
        mask: impl IntoValue<<F::Class as BitField<F::Value>>::Operand>,
    ) -> Self
    where
        F::Class: BitField<F::Value>,
    {
        bit(self, field, "or", mask.into_value())
    }

    /// Changes each bit of the mask to the opposite (`$bit` with `xor`).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "files")]
    /// # struct File { #[serde(rename = "_id")] id: ObjectId, mode: u32 }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// let toggled = File::update_by_id(id).bit_xor(File::F.mode, 0o001);
    /// # toggled
    /// # }
    /// ```
    fn bit_xor<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        field: F,
        mask: impl IntoValue<<F::Class as BitField<F::Value>>::Operand>,
    ) -> Self
    where
        F::Class: BitField<F::Value>,
    {
        bit(self, field, "xor", mask.into_value())
    }
}

impl<U: UpdateOperators> NumberUpdates for U {}

fn bit<U: UpdateOperators, F: Place>(update: U, field: F, operation: &str, mask: Result<Bson>) -> U {
    let operand = mask.and_then(|mask| match mask {
        mask @ (Bson::Int32(_) | Bson::Int64(_)) => Ok(doc! { operation: mask }.into()),
        _ => Err(Error::Update { message: "a mask of bits is an integer".to_owned() }),
    });
    change(update, Operator::Bit, field, operand)
}

/// Returns the negative of an amount; `is_text` when serde writes the amount as the text of a decimal.
fn negative(amount: Bson, is_text: bool) -> Result<Bson> {
    let opposite = |text: String| match text.strip_prefix('-') {
        Some(positive) => positive.to_owned(),
        None => format!("-{text}"),
    };
    let negative = match amount {
        Bson::Int32(number) => Some(number.checked_neg().map_or_else(|| (-i64::from(number)).into(), Bson::from)),
        Bson::Int64(number) => number.checked_neg().map(Bson::from),
        Bson::Double(number) => Some(Bson::from(-number)),
        Bson::Decimal128(number) => opposite(number.to_string()).parse::<Decimal128>().ok().map(Bson::from),
        Bson::String(text) if is_text => Some(opposite(text).into()),
        _ => None,
    };
    negative.ok_or_else(|| Error::Update { message: "the amount of a `dec` is a number with a negative".to_owned() })
}

//! Conditions on the form of a stored value: the BSON type, the remainder and the bits.

use mongodb::bson::{Bson, Document, doc};

use super::asked;
use crate::{
    error::{Error, Result},
    field::{
        Filter, Place,
        bson_type::BsonType,
        class::{Bits, Whole},
        condition,
    },
};

/// The conditions on the form of a stored value, on every token of a field, entry of a map and path inside of a raw
/// value.
pub trait FormOperators: Place {
    /// The stored value has the BSON type (`$type`). The server would also look at the elements of an array; this
    /// condition is about the value of the field alone. Inside of an array the condition holds when some element has a
    /// value of the type.
    ///
    /// ```
    /// # use schema_runtime::{BsonType, prelude::*};
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "parts")]
    /// # struct Part { #[serde(rename = "_id")] id: ObjectId, qty: i64 }
    /// let written_by_another_program = Part::F.qty.has_type(BsonType::String);
    /// let expected = doc! { "qty": { "$type": "string", "$not": { "$type": "array" } } };
    /// assert_eq!(written_by_another_program.into_document()?, expected);
    /// # Ok::<(), Error>(())
    /// ```
    fn has_type(self, stored: BsonType) -> Filter<Self::Model> {
        let mut operators = doc! { "$type": stored.alias() };
        if stored != BsonType::Array {
            operators.insert("$not", doc! { "$type": "array" });
        }
        asked(self, |node| condition::holds(node, operators))
    }

    /// The number leaves the remainder in a division by the divisor (`$mod`). The remainder has the sign of the number.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "parts")]
    /// # struct Part { #[serde(rename = "_id")] id: ObjectId, qty: i64 }
    /// let dozens = Part::F.qty.modulo(12, 0);
    /// assert_eq!(dozens.into_document()?, doc! { "qty": { "$mod": [12_i64, 0_i64] } });
    /// assert!(matches!(Part::F.qty.modulo(0, 0).into_document(), Err(Error::Filter { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// A divisor of 0 is an [`Error::Filter`] before a command is sent.
    fn modulo(self, divisor: i64, remainder: i64) -> Filter<Self::Model>
    where
        Self::Class: Whole<Self::Value>,
    {
        let operand = match divisor {
            0 => Err(Error::Filter { message: "no number can be divided by 0: give `modulo` another divisor" }),
            divisor => Ok(Bson::Array(vec![divisor.into(), remainder.into()])),
        };
        asked(self, |node| condition::compares(node, "$mod", operand))
    }

    /// All bits of the mask are 1 in the value (`$bitsAllSet`). Bit 0 is the lowest bit of a number, and of the first
    /// byte of a `Binary`. A number below 0 has its sign in all higher bits.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "files")]
    /// # struct File { #[serde(rename = "_id")] id: ObjectId, mode: u32 }
    /// let open_to_all = File::F.mode.all_set(0o666);
    /// assert_eq!(open_to_all.into_document()?, doc! { "mode": { "$bitsAllSet": [1, 2, 4, 5, 7, 8] } });
    /// # Ok::<(), Error>(())
    /// ```
    fn all_set(self, mask: u64) -> Filter<Self::Model>
    where
        Self::Class: Bits<Self::Value>,
    {
        asked(self, |node| bits(node, "$bitsAllSet", mask))
    }

    /// All bits of the mask are 0 in the value (`$bitsAllClear`); see [`all_set`](FormOperators::all_set).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "files")]
    /// # struct File { #[serde(rename = "_id")] id: ObjectId, mode: u32 }
    /// let private = File::F.mode.all_clear(0o007);
    /// assert_eq!(private.into_document()?, doc! { "mode": { "$bitsAllClear": [0, 1, 2] } });
    /// # Ok::<(), Error>(())
    /// ```
    fn all_clear(self, mask: u64) -> Filter<Self::Model>
    where
        Self::Class: Bits<Self::Value>,
    {
        asked(self, |node| bits(node, "$bitsAllClear", mask))
    }

    /// Some bit of the mask is 1 in the value (`$bitsAnySet`); see [`all_set`](FormOperators::all_set).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "files")]
    /// # struct File { #[serde(rename = "_id")] id: ObjectId, mode: u32 }
    /// let executable = File::F.mode.any_set(0o111);
    /// assert_eq!(executable.into_document()?, doc! { "mode": { "$bitsAnySet": [0, 3, 6] } });
    /// # Ok::<(), Error>(())
    /// ```
    fn any_set(self, mask: u64) -> Filter<Self::Model>
    where
        Self::Class: Bits<Self::Value>,
    {
        asked(self, |node| bits(node, "$bitsAnySet", mask))
    }

    /// Some bit of the mask is 0 in the value (`$bitsAnyClear`); see [`all_set`](FormOperators::all_set).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "files")]
    /// # struct File { #[serde(rename = "_id")] id: ObjectId, mode: u32 }
    /// let read_only = File::F.mode.any_clear(0o200);
    /// assert_eq!(read_only.into_document()?, doc! { "mode": { "$bitsAnyClear": [7] } });
    /// # Ok::<(), Error>(())
    /// ```
    fn any_clear(self, mask: u64) -> Filter<Self::Model>
    where
        Self::Class: Bits<Self::Value>,
    {
        asked(self, |node| bits(node, "$bitsAnyClear", mask))
    }
}

impl<F: Place> FormOperators for F {}

/// Returns the condition on the bits of the mask. The mask is a list of positions: a mask that is a number has no
/// highest bit, and the server takes a list for numbers and for binary values.
fn bits(node: &crate::field::PathNode<'_>, operator: &str, mask: u64) -> Result<Document> {
    let positions = (0..64_i32).filter(|position| mask >> position & 1 == 1);
    condition::compares(node, operator, Ok(Bson::Array(positions.map(Bson::from).collect())))
}

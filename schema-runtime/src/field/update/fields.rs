//! Changes that concern two fields of a document.

use super::UpdateOperators;
use crate::field::{AssignedTo, Changeable, OneValue, Operand, Path, Single, Token, class::Nullable};

/// The type of a field that takes the values of a field of type `T`: the same type.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` does not take the values of a field of type `{T}`",
    label = "the value of the field has the type `{T}`",
    note = "help: name a field of the type `{T}`, or read the document and write the value"
)]
pub trait TakesValuesOf<T> {}

#[diagnostic::do_not_recommend]
impl<T> TakesValuesOf<T> for T {}

/// The changes that concern two fields of a document, on every update.
pub trait FieldUpdates: UpdateOperators {
    /// Moves the value of a field to another field of the same type (`$rename`). The first field reads as `None`
    /// afterwards, and so is an `Option`. A document without the first field stays as before.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")]
    /// # struct Post { #[serde(rename = "_id")] id: ObjectId, draft: Option<String>, text: Option<String> }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// Post::update_by_id(id).rename(Post::F.draft, Post::F.text)
    /// # }
    /// ```
    ///
    /// [`Error::Update`](crate::Error::Update), before a command is sent: a field with a larger bound than the second
    /// field, and a field inside of an array or of a child in a bucket.
    fn rename<F, G>(mut self, from: F, to: G) -> Self
    where
        F: Token<Model = Self::Model, Access: Changeable, Path: OneValue>,
        F::Class: Nullable<F::Value>,
        G: Token<Model = Self::Model, Access: Changeable, Path: OneValue>,
        G::Value: TakesValuesOf<F::Value>,
    {
        let _ = (from, to);
        self.changes().list.rename(&F::Path::NODE, &G::Path::NODE);
        self
    }

    /// Sets the field to a value that the server computes from the fields of the document, in the same command (an
    /// update by pipeline): another field, a sum, a difference, a product, the lesser or the greater of two values, or
    /// two texts. The expression reads the document before the update. See [the page `updates`](crate::guide).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, price: i64, quantity: u32, total: i64 }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// Order::update_by_id(id).set_expr(Order::F.total, Order::F.price.times(Order::F.quantity))
    /// # }
    /// ```
    fn set_expr<F, O>(mut self, field: F, value: O) -> Self
    where
        F: Token<Model = Self::Model, Access: Changeable, Path: OneValue, Class: Single>,
        O: Operand<Model = Self::Model>,
        O::Class: AssignedTo<<F::Class as Single>::Own, F::Value>,
    {
        let _ = field;
        self.changes().list.set_expression(&F::Path::NODE, value.into_expression().into_parts());
        self
    }
}

impl<U: UpdateOperators> FieldUpdates for U {}

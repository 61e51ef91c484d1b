//! Changes at the ends and at the positions of lists.

use mongodb::bson::Bson;

use super::{UpdateOperators, change};
use crate::{
    changes::Operator,
    error::Result,
    field::{Changeable, IntoValue, OneValue, Place, class::Listed},
};

/// The changes of lists by position, on every update.
pub trait ListUpdates: UpdateOperators {
    /// Adds the element at the position, counted from 0, and moves the later elements (`$push` with `$position`). A
    /// position behind the end is the end.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "lists")]
    /// # struct List { #[serde(rename = "_id")] id: ObjectId, #[bound(max_items = 9)] tasks: Vec<String> }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// List::update_by_id(id).push_at(List::F.tasks, 0, "first of all")
    /// # }
    /// ```
    fn push_at<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        list: F,
        position: u32,
        element: impl IntoValue<<F::Class as Listed<F::Value>>::Item>,
    ) -> Self
    where
        F::Class: Listed<F::Value>,
    {
        self.push_each_at(list, position, [element])
    }

    /// Adds the elements at the position, in the given order; see [`push_at`](ListUpdates::push_at).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "lists")]
    /// # struct List { #[serde(rename = "_id")] id: ObjectId, #[bound(max_items = 9)] tasks: Vec<String> }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// List::update_by_id(id).push_each_at(List::F.tasks, 1, ["second", "third"])
    /// # }
    /// ```
    fn push_each_at<F, V>(mut self, list: F, position: u32, elements: impl IntoIterator<Item = V>) -> Self
    where
        F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>,
        F::Class: Listed<F::Value>,
        V: IntoValue<<F::Class as Listed<F::Value>>::Item>,
    {
        let elements: Result<Vec<Bson>> = elements.into_iter().map(IntoValue::into_value).collect();
        let changes = &mut self.changes().list;
        let added = list.with_node(|node| changes.add_at(node, elements, position));
        changes.refuse_failed(added);
        self
    }

    /// Removes the first element of the list (`$pop` with -1); an empty list stays empty.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "lists")]
    /// # struct List { #[serde(rename = "_id")] id: ObjectId, #[bound(max_items = 9)] tasks: Vec<String> }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// List::update_by_id(id).pop_first(List::F.tasks)
    /// # }
    /// ```
    fn pop_first<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(self, list: F) -> Self
    where
        F::Class: Listed<F::Value>,
    {
        change(self, Operator::Pop, list, Ok(Bson::Int32(-1)))
    }

    /// Removes the last element of the list (`$pop` with 1); an empty list stays empty.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "lists")]
    /// # struct List { #[serde(rename = "_id")] id: ObjectId, #[bound(max_items = 9)] tasks: Vec<String> }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// List::update_by_id(id).pop_last(List::F.tasks)
    /// # }
    /// ```
    fn pop_last<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(self, list: F) -> Self
    where
        F::Class: Listed<F::Value>,
    {
        change(self, Operator::Pop, list, Ok(Bson::Int32(1)))
    }
}

impl<U: UpdateOperators> ListUpdates for U {}

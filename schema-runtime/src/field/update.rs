//! The update operators of MongoDB, each on the types that the operator fits.

mod fields;
mod lists;
mod numbers;

use mongodb::bson::{Bson, Document, doc};

pub use fields::{FieldUpdates, TakesValuesOf};
pub use lists::ListUpdates;
pub use numbers::NumberUpdates;

use super::{
    Changeable, Changes, Element, ElementToken, Filter, IntoValue, ItemOf, OneValue, Place, SortKeyOfElement,
    change::Cap,
    class::{ArrayOf, Dated, Growing, Listed, Nullable, Numeric, Ordered},
    of_element,
    patches::PatchOf,
};
use crate::{
    changes::Operator,
    error::{Error, Result},
};

/// The update operators, on every update. The bounds of an array or a string hold for the written values: a value over
/// the bound is refused before a command is sent, and an array without capacity is left unchanged, with any number of
/// writers.
///
/// Each method takes the token of a field that one document has once; [`each`](UpdateOperators::each) changes the
/// content of the elements of an array.
pub trait UpdateOperators: Sized {
    /// The model of the changed documents, or the element of an array inside of [`each`](UpdateOperators::each).
    type Model;

    #[doc(hidden)]
    fn changes(&mut self) -> &mut Changes<Self::Model>;

    /// Sets the field to the value (`$set`); a `None` that serde leaves out removes the field (`$unset`).
    fn set<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        field: F,
        value: impl IntoValue<F::Value>,
    ) -> Self {
        change(self, Operator::Set, field, value.into_value())
    }

    /// Sets the field to the value as [`set`](UpdateOperators::set) does; `None` changes nothing. An update whose
    /// optional changes are all absent is no error, and leaves the document, its `#[version]` and its `#[updated_at]`
    /// unchanged.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")]
    /// # struct Post { #[serde(rename = "_id")] id: ObjectId, title: String, note: Option<String> }
    /// # fn example(id: ObjectId, title: Option<&str>, note: Option<Option<String>>) -> impl Sized {
    /// Post::update_by_id(id).set_opt(Post::F.title, title).set_opt(Post::F.note, note)
    /// # }
    /// ```
    fn set_opt<F, V>(mut self, field: F, value: Option<V>) -> Self
    where
        F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>,
        V: IntoValue<F::Value>,
    {
        self.changes().list.ignore_empty();
        match value {
            Some(value) => self.set(field, value),
            None => self,
        }
    }

    /// Adds the changes of a [patch](derive@crate::Patch): each field of the patch that is not `None` is
    /// [`set`](UpdateOperators::set). A patch without a change is no error: see
    /// [the page `partial_updates`](crate::guide).
    fn apply(mut self, patch: &impl PatchOf<Self::Model>) -> Self {
        let changes = self.changes();
        changes.list.ignore_empty();
        patch.add_to(changes);
        self
    }

    /// Removes the field (`$unset`): a removed field reads as `None`.
    fn unset<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(self, field: F) -> Self
    where
        F::Class: Nullable<F::Value>,
    {
        change(self, Operator::Unset, field, Ok(Bson::String(String::new())))
    }

    /// Adds the amount to the number (`$inc`); the amount may be negative. [`dec`](super::NumberUpdates::dec) subtracts
    /// from an unsigned number. An update of one document never takes an integer out of the range of the Rust type: see
    /// [the page `updates`](crate::guide).
    fn inc<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        field: F,
        amount: impl IntoValue<<F::Class as Numeric<F::Value>>::Operand>,
    ) -> Self
    where
        F::Class: Numeric<F::Value>,
    {
        change(self, Operator::Inc, field, amount.into_value())
    }

    /// Multiplies the number by the factor (`$mul`).
    fn mul<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        field: F,
        factor: impl IntoValue<<F::Class as Numeric<F::Value>>::Operand>,
    ) -> Self
    where
        F::Class: Numeric<F::Value>,
    {
        change(self, Operator::Mul, field, factor.into_value())
    }

    /// Sets the field to the value if the value is less than the stored value, or the field is null or absent (`$min`).
    /// A `None` changes nothing.
    fn min<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        field: F,
        value: impl IntoValue<<F::Class as Ordered<F::Value>>::Operand>,
    ) -> Self
    where
        F::Class: Ordered<F::Value>,
    {
        change(self, Operator::Min, field, value.into_value())
    }

    /// Sets the field to the value if the value is more than the stored value, or the field is null or absent (`$max`).
    /// A `None` changes nothing.
    fn max<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        field: F,
        value: impl IntoValue<<F::Class as Ordered<F::Value>>::Operand>,
    ) -> Self
    where
        F::Class: Ordered<F::Value>,
    {
        change(self, Operator::Max, field, value.into_value())
    }

    /// Sets the date to the server's clock (`$currentDate`).
    fn current_date<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(self, field: F) -> Self
    where
        F::Class: Dated<F::Value>,
    {
        let kind = match F::SHAPE.map(|shape| shape.kind) {
            Some(crate::definition::Kind::Scalar(crate::definition::Scalar::Timestamp)) => "timestamp",
            _ => "date",
        };
        change(self, Operator::CurrentDate, field, Ok(doc! { "$type": kind }.into()))
    }

    /// Adds the element at the end of the list (`$push`).
    fn push<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        list: F,
        element: impl IntoValue<<F::Class as Listed<F::Value>>::Item>,
    ) -> Self
    where
        F::Class: Listed<F::Value>,
    {
        self.push_each(list, [element])
    }

    /// Adds the elements at the end of the list, in the given order (`$push` with `$each`).
    fn push_each<F, V>(self, list: F, elements: impl IntoIterator<Item = V>) -> Self
    where
        F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>,
        F::Class: Listed<F::Value>,
        V: IntoValue<<F::Class as Listed<F::Value>>::Item>,
    {
        let elements: Result<Vec<Bson>> = elements.into_iter().map(IntoValue::into_value).collect();
        change(self, Operator::Push, list, elements.map(Bson::Array))
    }

    /// Adds the element to the list, sorts the list by `order` and keeps the first `keep` elements (`$push` with
    /// `$each`, `$sort` and `$slice`): a list of the latest or the best elements, with never more than `keep`. `keep`
    /// is the same in each call, from 1 to the bound of the list.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "products")]
    /// # struct Product {
    /// #     #[serde(rename = "_id")] id: ObjectId, #[relation(one_to_few, embed, max = 50)] views: Vec<View>
    /// # }
    /// # #[derive(Embed, Serialize, Deserialize)] struct View { by: ObjectId, at: DateTime }
    /// # fn example(id: ObjectId, view: &View) -> impl Sized {
    /// Product::update_by_id(id).push_capped(Product::F.views, view, |view| view.at.desc(), 50)
    /// # }
    /// ```
    fn push_capped<F, S>(
        self,
        list: F,
        element: impl IntoValue<<F::Class as Listed<F::Value>>::Item>,
        order: impl FnOnce(ElementToken<<F::Class as Listed<F::Value>>::Item>) -> S,
        keep: u32,
    ) -> Self
    where
        F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>,
        F::Class: Listed<F::Value>,
        S: IntoIterator<Item: SortKeyOfElement<<F::Class as Listed<F::Value>>::Item>>,
    {
        let keys = order(ElementToken::NEW).into_iter().map(|key| key.into_key().into_parts());
        push_capped(self, list, element.into_value(), sort_of_elements(keys), i64::from(keep))
    }

    /// Adds the element at the end of the list, and keeps the last `keep` elements (`$push` with `$each` and a `$slice`
    /// below zero).
    fn push_last<F>(self, list: F, element: impl IntoValue<<F::Class as Listed<F::Value>>::Item>, keep: u32) -> Self
    where
        F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>,
        F::Class: Listed<F::Value>,
    {
        push_capped(self, list, element.into_value(), None, -i64::from(keep))
    }

    /// Adds the element at the end of the array, if the array does not have the element (`$addToSet`).
    fn add_to_set<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        array: F,
        element: impl IntoValue<<F::Class as Growing<F::Value>>::Item>,
    ) -> Self
    where
        F::Class: Growing<F::Value>,
    {
        change(self, Operator::AddToSet, array, element.into_value().map(|element| Bson::Array(vec![element])))
    }

    /// Removes each element that equals the value from the array (`$pullAll`).
    fn pull<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        array: F,
        element: impl IntoValue<<F::Class as Growing<F::Value>>::Item>,
    ) -> Self
    where
        F::Class: Growing<F::Value>,
    {
        change(self, Operator::PullAll, array, element.into_value().map(|element| Bson::Array(vec![element])))
    }

    /// Removes each element for which the condition holds from the array (`$pull`).
    fn pull_if<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        self,
        array: F,
        condition: impl FnOnce(
            ElementToken<<F::Class as Growing<F::Value>>::Item>,
        ) -> Filter<Element<<F::Class as Growing<F::Value>>::Item>>,
    ) -> Self
    where
        F::Class: Growing<F::Value>,
    {
        let condition = condition(ElementToken::NEW).into_document().and_then(of_element::pull);
        change(self, Operator::Pull, array, condition.map(Bson::Document))
    }

    /// Changes the elements of an array for which the condition holds (`arrayFilters`), or, with [`Filter::all`], every
    /// element:
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "people")]
    /// # struct Person {
    /// #     #[serde(rename = "_id")] id: ObjectId, #[relation(one_to_few, embed, max = 9)] addresses: Vec<Address>
    /// # }
    /// # #[derive(Embed, Serialize, Deserialize)] struct Address { city: String, cc: String }
    /// # fn example(id: ObjectId) -> impl Sized {
    /// Person::update_by_id(id).each(
    ///     Person::F.addresses,
    ///     |address| address.city.eq("Christiania"),
    ///     |change, address| change.set(address.city, "Oslo"),
    /// )
    /// # }
    /// ```
    fn each<F: Place<Model = Self::Model, Access: Changeable, Path: OneValue>>(
        mut self,
        array: F,
        condition: impl FnOnce(ElementToken<ItemOf<F>>) -> Filter<Element<ItemOf<F>>>,
        change: impl FnOnce(Changes<Element<ItemOf<F>>>, ElementToken<ItemOf<F>>) -> Changes<Element<ItemOf<F>>>,
    ) -> Self
    where
        F::Class: ArrayOf<F::Value>,
    {
        let condition = condition(ElementToken::NEW).into_document();
        let changes = self.changes();
        let added = array.with_node(|array| {
            changes.add_each(array, condition, |changes| change(changes, ElementToken::NEW));
        });
        self.changes().list.refuse_failed(added);
        self
    }
}

impl<M> UpdateOperators for Changes<M> {
    type Model = M;

    fn changes(&mut self) -> &mut Changes<M> {
        self
    }
}

fn change<U: UpdateOperators, F: Place>(mut update: U, operator: Operator, place: F, value: Result<Bson>) -> U {
    let list = &mut update.changes().list;
    let added = place.with_node(|node| list.add(operator, node, value));
    list.refuse_failed(added);
    update
}

fn push_capped<U: UpdateOperators, F: Place>(
    mut update: U,
    place: F,
    element: Result<Bson>,
    sort: Option<Bson>,
    slice: i64,
) -> U {
    let list = &mut update.changes().list;
    let added = place.with_node(|node| {
        let cap = match slice {
            0 => {
                Err(Error::Update { message: format!("`{}` is to keep no element: `keep` is from 1 on", node.join()) })
            }
            slice => Ok(Cap { sort, slice }),
        };
        list.add_capped(node, element, cap);
    });
    list.refuse_failed(added);
    update
}

/// Returns the `$sort` of a push: a single direction for elements that are no documents. `None` without keys.
fn sort_of_elements(keys: impl Iterator<Item = (String, bool)>) -> Option<Bson> {
    let mut sort = Document::new();
    for (path, descending) in keys {
        let direction = if descending { -1 } else { 1 };
        if path.is_empty() {
            return Some(direction.into());
        }
        sort.insert(path, direction);
    }
    (!sort.is_empty()).then(|| sort.into())
}

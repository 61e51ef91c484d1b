//! The order of children as a type: `latest` is a method of an order that is newest first.

use crate::{
    definition::{Direction, find_relation},
    model::Model,
};

/// The order of a relation. `NEWEST_FIRST` is true for an order whose first key is descending.
pub struct OrderOf<const NEWEST_FIRST: bool>;

/// An order that is newest first: an order whose first key is descending, as `order = desc(time)`, and the order of a
/// relation that declares no order.
#[diagnostic::on_unimplemented(
    message = "the first children are not the latest children: the relation has another order",
    label = "the first key of the relation's `order` is ascending",
    note = "help: write `first(n)` to read the first children in the order of the relation; or begin the order with a descending field, as `order = desc(time)`"
)]
pub trait NewestFirst {}

impl NewestFirst for OrderOf<true> {}

/// Returns whether the children that refer by a field are in an order that is newest first. A field without a relation
/// counts as such a field: a check reports the field.
pub const fn is_newest_first<C: Model>(field: &str) -> bool {
    match find_relation(C::RELATIONS, field) {
        Some(relation) => match relation.order {
            [first, ..] => matches!(first.direction, Direction::Descending),
            [] => true,
        },
        None => true,
    }
}

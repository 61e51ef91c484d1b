//! The rendering of changes in MongoDB's own syntax. Pure.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    document::put,
    field::{Change, Operator},
};

/// Returns the changes in MongoDB's own syntax.
pub(super) fn rendered(mut update: Document, changes: Vec<Change>) -> Document {
    for Change { mut operator, path, mut value, cap, leaves_none_out, .. } in changes {
        if operator == Operator::Set && leaves_none_out && value == Bson::Null {
            // serde leaves out a null of this field, and so does the update.
            (operator, value) = (Operator::Unset, Bson::from(""));
        }
        let value = match (operator, cap) {
            (Operator::Push, Some(cap)) => cap.modifying(value).into(),
            // An added value could itself look like an operator.
            (Operator::Push | Operator::AddToSet, _) => doc! { "$each": value }.into(),
            _ => value,
        };
        put(&mut update, operator.name(), path, value);
    }
    if update.is_empty() {
        // The server takes an update without an operator for a whole document.
        update.insert("$set", Document::new());
    }
    update
}

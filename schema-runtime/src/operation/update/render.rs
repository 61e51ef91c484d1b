//! Changes in the server's words. Pure.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    document::put,
    field::{Change, Operator},
};

/// Changes in the server's words.
pub(super) fn rendered(mut update: Document, changes: Vec<Change>) -> Document {
    for Change { mut operator, path, mut value, cap, leaves_none_out, .. } in changes {
        if operator == Operator::Set && leaves_none_out && value == Bson::Null {
            // As serde writes it.
            (operator, value) = (Operator::Unset, Bson::from(""));
        }
        let value = match (operator, cap) {
            (Operator::Push, Some(cap)) => cap.modifying(value).into(),
            // What is added could itself look like an operator.
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

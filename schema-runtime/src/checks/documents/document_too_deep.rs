//! Rule: `document_too_deep`
//!
//! The half of the rule that counts the levels of structs, arrays and maps inside each other.

use crate::definition::{Message, ModelDefinition, levels};

/// The most levels, the document itself included.
const MOST: u64 = 100;

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition) {
    let depth = levels(model.fields);
    if depth > MOST {
        Message::new()
            .text("a document of ")
            .code(model.model)
            .text(" nests ")
            .number(depth)
            .text(" levels, and MongoDB's limit is ")
            .number(MOST)
            .text("\nhelp: give an inner struct a collection of its own and refer to it with a `Ref<..>`\nrule: document_too_deep")
            .fail()
    }
}

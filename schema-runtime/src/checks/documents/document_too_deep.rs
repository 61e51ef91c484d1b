//! Rule: `document_too_deep`. The page is `guide/pages/rules/document_too_deep.md`.
//!
//! The half of the rule that counts the levels of structs, arrays and maps inside each other.

use crate::definition::{ModelDefinition, digits, levels, refuse};

/// The most levels, the document itself included.
const MOST: u64 = 100;

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition) {
    let depth = levels(model.fields);
    if depth > MOST {
        refuse! {
            "a document of `{}` nests {} levels, and MongoDB's limit is {}",
                model.model, digits(depth).as_str(), digits(MOST).as_str();
            help: "give an inner struct a separate collection, and refer to the struct with a `Ref<..>`"
        }
    }
}

//! Rule: `collection_name`
//!
//! This half compares the models of a schema: each has a collection of its own.

use crate::definition::{Message, ModelDefinition, str_eq};

#[track_caller]
pub(super) const fn enforce(models: &[&'static ModelDefinition], at: usize) {
    let model = models[at];
    let mut earlier = 0;
    while earlier < at {
        let other = models[earlier];
        if str_eq(other.collection, model.collection) && !str_eq(other.name, model.name) && other.whole && model.whole {
            Message::new()
                .code(model.model)
                .text(" and ")
                .code(other.model)
                .text(" both name the collection ")
                .code(model.collection)
                .text(": it would be given two validators\nhelp: give each model a collection of its own\nrule: collection_name")
                .fail()
        }
        earlier += 1;
    }
}

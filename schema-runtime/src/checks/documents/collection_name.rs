//! Rule: `collection_name`
//!
//! The half of the rule that compares the models of a schema: each model has a separate collection.

use crate::{
    checks::schema_index::SchemaIndex,
    definition::{Message, str_eq},
};

#[track_caller]
pub(in crate::checks) const fn enforce<const N: usize>(schema: &SchemaIndex<N>, at: usize) {
    let model = schema.models[at];
    let mut next = schema.next_of_collection(model.collection, None);
    while let Some(earlier) = next
        && earlier < at
    {
        let other = schema.models[earlier];
        if !str_eq(other.name, model.name) && other.whole && model.whole {
            Message::new()
                .code(model.model)
                .text(" and ")
                .code(other.model)
                .text(" both name the collection ")
                .code(model.collection)
                .text(": it would be given two validators\nhelp: give each model a collection of its own\nrule: collection_name")
                .fail()
        }
        next = schema.next_of_collection(model.collection, Some(earlier));
    }
}

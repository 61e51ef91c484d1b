//! Rule: `collection_name`. The page is `guide/pages/rules/collection_name.md`.
//!
//! The half of the rule that compares the models of a schema: each model has a separate collection.

use crate::{
    checks::schema_index::SchemaIndex,
    definition::{refuse, str_eq},
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
            refuse! {
                "`{}` and `{}` both name the collection `{}`: the collection would get two validators",
                    model.model, other.model, model.collection;
                help: "give each model a separate collection"
            }
        }
        next = schema.next_of_collection(model.collection, Some(earlier));
    }
}

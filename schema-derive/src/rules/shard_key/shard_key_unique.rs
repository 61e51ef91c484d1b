//! Rule: `shard_key_unique`. The page is `guide/pages/rules/shard_key_unique.md`.

use proc_macro2::TokenStream;
use quote::ToTokens;

use crate::{
    errors::Errors,
    model::{Index, Model, Origin, ShardKey},
};

const ID: &str = "shard_key_unique";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let Some(key) = &model.shard_key else { return };
    let fields: Vec<String> = key.fields.iter().map(|field| field.path.join(".")).collect();
    let fields = fields.join(", ");
    for index in model.indexes.iter().filter(|index| !begins_with(index, key)) {
        let Some(unique) = &index.unique else { continue };
        let (tokens, what): (TokenStream, String) = match &index.origin {
            Origin::ShardKey => continue,
            Origin::Relation(field) => {
                (unique.to_token_stream(), format!("the index that makes the relation `{field}` a `one_to_one` does"))
            }
            Origin::Slug(field) => {
                (field.to_token_stream(), format!("the index that keeps each slug in `{field}` unique does"))
            }
            Origin::Declared(_) | Origin::Query(_) | Origin::Tree(_) => {
                (unique.to_token_stream(), "this unique index does".to_owned())
            }
        };
        errors.rule(
            tokens,
            ID,
            &format!("each shard keeps only local documents unique, and {what} not begin with the shard key `({fields})`"),
            "begin the index with the fields of the shard key, or shard by this field; or store the unique value as the `_id` of a separate collection",
        );
    }
}

/// Returns whether two documents with equal keys are on the same shard.
fn begins_with(index: &Index, key: &ShardKey) -> bool {
    index.keys.len() >= key.fields.len()
        && key.fields.iter().zip(&index.keys).all(|(field, key)| !field.hashed && field.path == key.path)
}

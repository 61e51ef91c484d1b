//! The indexes that buckets may have.

use quote::ToTokens;

use super::ID;
use crate::{
    errors::Errors,
    model::{Direction, Index, Model, Origin},
};

pub(super) fn enforce(model: &Model, errors: &Errors) {
    for index in &model.indexes {
        let Origin::Declared(word) = &index.origin else { continue };
        let names: Vec<String> = index.keys.iter().map(|key| key.path.join(".")).collect();
        let help = format!(
            "write a plain index, `#[index({})]`, or remove `bucket(..)` from `#[model(..)]`",
            names.join(", ")
        );
        if let Some((option, tokens)) = option(index) {
            let what =
                format!("an index with `{option}` applies to documents, and a document is a bucket of many children");
            let help = match option {
                "ttl" => {
                    "children do not expire: delete the children by `_id`; or remove `bucket(..)` from `#[model(..)]`"
                }
                _ => &help,
            };
            errors.rule(tokens, ID, &what, help);
        } else if let Some(key) =
            index.keys.iter().find(|key| !matches!(key.direction, Direction::Ascending | Direction::Descending))
        {
            let what = format!(
                "`{}` is for a key with a single value in a document, and a document is a bucket of many children",
                key.direction.word()
            );
            errors.rule(&key.tokens, ID, &what, &help);
        } else if let [key] = &index.keys[..] {
            let is = |name: Option<&str>| name.is_some_and(|name| key.path == [name]);
            let parent = model.bucket_parent().map(|(_, parent, _)| parent.rust_name.as_str());
            if is(parent) || is(model.id().map(|id| id.rust_name.as_str())) {
                let what = format!("buckets have an index that begins with `{}` already", key.path.join("."));
                errors.rule(word, ID, &what, "remove this index: the remaining index serves the same queries");
            }
        }
    }
}

/// Returns an option that a plain index does not have.
fn option(index: &Index) -> Option<(&'static str, proc_macro2::TokenStream)> {
    if let Some(unique) = &index.unique {
        return Some(("unique", unique.to_token_stream()));
    }
    if let Some((_, ttl)) = &index.ttl {
        return Some(("ttl", ttl.to_token_stream()));
    }
    if let Some(collation) = &index.collation {
        return Some(("collation", collation.tokens.to_token_stream()));
    }
    if let Some(sparse) = &index.sparse {
        return Some(("sparse", sparse.to_token_stream()));
    }
    if let Some(hidden) = &index.hidden {
        return Some(("hidden", hidden.to_token_stream()));
    }
    index.partial.first().map(|clause| ("partial(..)", clause.tokens.to_token_stream()))
}

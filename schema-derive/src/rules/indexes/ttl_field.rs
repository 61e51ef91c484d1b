//! Rule: `ttl_field`. The page is `guide/pages/rules/ttl_field.md`.

use crate::{errors::Errors, model::Model};

const ID: &str = "ttl_field";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    for index in &model.indexes {
        let Some((_, tokens)) = &index.ttl else { continue };
        let id = model.id().map(|field| field.rust_name.clone());
        let help = "write `ttl` on a separate index over a single `DateTime` field";
        if index.keys.len() > 1 {
            errors.rule(tokens, ID, "MongoDB ignores `ttl` on an index with several keys", help);
        } else if index.keys.iter().any(|key| Some(&key.path.join(".")) == id.as_ref()) {
            errors.rule(tokens, ID, "MongoDB takes no `ttl` on `_id`", help);
        } else if !index.is_ordered() {
            errors.rule(tokens, ID, "MongoDB takes `ttl` on an ascending or descending key only", help);
        }
    }
}

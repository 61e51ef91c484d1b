//! Rule: `embed_favored`. The page is `guide/pages/rules/embed_favored.md`.

use crate::{errors::Errors, model::Record};

const ID: &str = "embed_favored";

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged() {
        let Some(relation) = field.relation() else { continue };
        if relation.storage.could_be_embedded(relation.cardinality) && relation.apart.is_none() && !field.allows(ID) {
            let (cardinality, storage) = (relation.cardinality.word(), relation.storage.word());
            errors.rule(
                &relation.storage_tokens,
                ID,
                &format!("`{cardinality}` is embedded unless there is a reason against embedding, and `{}` gives no reason", field.rust_name),
                &format!("write `{cardinality}, embed`; or give the reason: `{cardinality}, {storage}, standalone`, `large` or `seldom_read`"),
            );
        }
    }
}

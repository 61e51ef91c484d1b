//! Rule: `embed_favored`
//!
//! A value that belongs to a single document is embedded in the document, and so are a few values. A reason may speak
//! against embedding: `one_to_one, parent_ref` and `one_to_few, child_refs` name the reason. `standalone` says that the
//! value is read and written without the document. `large` says that the document would be too large with the value.
//! `seldom_read` says that most reads of the document do without the value. `allow(embed_favored, reason = "..")` gives
//! a different reason.
//!
//! Source: Zola's rules 1 and 2 ("favor embedding unless there is a compelling reason not to"; "needing to access an
//! object on its own is a compelling reason not to embed it").

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

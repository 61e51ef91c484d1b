//! Rule: `embed_favored`
//!
//! What belongs to one document, or a few that do, is embedded in it, unless something speaks against that. `one_to_one, parent_ref` and
//! `one_to_few, child_refs` say what: `standalone` (it is read and written without the other), `large` (with it the document would
//! be too large) or `seldom_read` (most reads of the document do without it). `allow(embed_favored, reason = "..")` says something else.
//!
//! Source: Zola's rules one and two ("favor embedding unless there is a compelling reason not to"; "needing to access an object on its
//! own is a compelling reason not to embed it").

use crate::{errors::Errors, model::Record};

const ID: &str = "embed_favored";

pub(super) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged() {
        let Some(relation) = field.relation() else { continue };
        if relation.storage.could_be_embedded(relation.cardinality) && relation.apart.is_none() && !field.allows(ID) {
            let (cardinality, storage) = (relation.cardinality.word(), relation.storage.word());
            errors.rule(
                &relation.storage_tokens,
                ID,
                &format!("`{cardinality}` is embedded unless something speaks against it, and `{}` does not say what does", field.rust_name),
                &format!("write `{cardinality}, embed`; or why not: `{cardinality}, {storage}, standalone`, `large` or `seldom_read`"),
            );
        }
    }
}

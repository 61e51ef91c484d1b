//! Whether two validators are the same, by structure. Pure.

use mongodb::bson::{Bson, Document};

use super::Validator;
use crate::manage::indexes::same_document;

/// Whether two validators judge alike.
pub(crate) fn same_validator(left: &Validator, right: &Validator) -> bool {
    left.level == right.level && left.action == right.action && same_rule(&left.rule, &right.rule)
}

/// Whether two rules of validators are the same. Their title and description do not matter, nor the order of a list of
/// names (`required`, `enum`, `bsonType`) and that of the conditions of a `$nor`.
pub(crate) fn same_rule(left: &Document, right: &Document) -> bool {
    same_document(&plain_rule(left), &plain_rule(right))
}

fn plain_rule(rule: &Document) -> Document {
    let mut plain = rule.clone();
    if let Some(Bson::Document(schema)) = plain.get_mut("$jsonSchema") {
        schema.remove("title");
        schema.remove("description");
    }
    if let Some(Bson::Array(conditions)) = plain.get_mut("$nor") {
        conditions.sort_by_key(ToString::to_string);
    }
    sort_names(&mut plain);
    plain
}

fn sort_names(document: &mut Document) {
    for (_, value) in document.iter_mut() {
        match value {
            Bson::Document(inner) => sort_names(inner),
            Bson::Array(list) => {
                if list.iter().all(|element| matches!(element, Bson::String(_) | Bson::Null)) {
                    list.sort_by(|left, right| left.as_str().cmp(&right.as_str()));
                }
                for element in list {
                    if let Bson::Document(inner) = element {
                        sort_names(inner);
                    }
                }
            }
            _ => {}
        }
    }
}

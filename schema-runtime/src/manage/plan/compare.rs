//! Compares two validators by structure. Pure.

use mongodb::bson::{Bson, Document};

use super::Validator;
use crate::indexes::same_document;

/// Returns whether two validators judge alike.
pub(crate) fn same_validator(left: &Validator, right: &Validator) -> bool {
    left.level == right.level && left.action == right.action && same_rule(&left.rule, &right.rule)
}

/// Returns whether two rules of validators are the same. Differences in the title and in the description do not matter.
/// The order of a list of names (`required`, `enum`, `bsonType`) and the order of the conditions of a `$nor` do not
/// matter either.
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

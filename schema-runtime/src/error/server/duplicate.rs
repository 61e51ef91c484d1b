//! Reads the error of a unique index with a key that is stored already: the index, the key, the fields. The driver
//! keeps the facts in a message only.

use crate::{
    definition::{IndexDefinition, ModelDefinition, default_index_name},
    error::Error,
};

/// Makes the error of a write to a model's collection.
pub(crate) fn duplicate(model: &ModelDefinition, message: &str) -> Error {
    let (index, key) = (index_in(message), key_in(message));
    let (collection, fields) = (model.collection.to_owned(), fields_of(model, index, key));
    let key = if is_hidden(model, &fields) { String::new() } else { key.to_owned() };
    Error::DuplicateKey { collection, fields, index: index.to_owned(), key }
}

/// Returns whether the key of an index holds the value of a hidden field. For an unknown index of a model with hidden
/// fields the answer is yes.
pub(crate) fn is_hidden(model: &ModelDefinition, fields: &[String]) -> bool {
    let names = |path: &String| model.hidden().any(|field| path.split('.').next() == Some(field.name));
    model.has_hidden() && (fields.is_empty() || fields.iter().any(names))
}

/// Returns the stored paths of the index's fields. The index is found by the name, or, because somebody else may have
/// named the index, by the key, if the key fits a unique index. Empty where the model has no fitting index.
pub(crate) fn fields_of(model: &ModelDefinition, index: &str, key: &str) -> Vec<String> {
    if index == "_id_" {
        return vec!["_id".to_owned()];
    }
    let paths = |definition: &IndexDefinition| -> Vec<String> {
        definition.keys.iter().map(|key| model.stored_path_of(definition, key.path)).collect()
    };
    let unique = || model.indexes().filter(|definition| definition.unique);
    let is_named = |definition: &&IndexDefinition| match definition.name {
        Some(name) => name == index,
        None => {
            let directions = definition.keys.iter().map(|key| key.direction.in_name());
            index.starts_with(&default_index_name(paths(definition).iter().zip(directions)))
        }
    };
    if let Some(definition) = unique().filter(is_named).max_by_key(|definition| definition.keys.len()) {
        return paths(definition);
    }
    let begins = |path: &str| key.starts_with(&format!("{{ {path}: "));
    let fits = |paths: &Vec<String>| match &paths[..] {
        [first, rest @ ..] => begins(first) && rest.iter().all(|path| key.contains(&format!(", {path}: "))),
        [] => false,
    };
    let of_key = unique().map(paths).filter(fits).max_by_key(Vec::len);
    let of_slugs = || {
        let field = model.keeps_slugs()?;
        let kept = field.slug?.kept?;
        (begins(kept.name) || key.starts_with(&format!("{{ {}.", kept.name))).then(|| vec![field.name.to_owned()])
    };
    of_key.or_else(of_slugs).or_else(|| only_field(key).map(|field| vec![field.to_owned()])).unwrap_or_default()
}

/// Returns the field of a key with a single field.
fn only_field(key: &str) -> Option<&str> {
    let (field, value) = key.strip_prefix("{ ")?.split_once(": ")?;
    let is_name = field.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'));
    (is_name && !value.contains(", ")).then_some(field)
}

/// Returns the name of the index, which the driver keeps only in the message:
/// `E11000 duplicate key error collection: shop.parts index: by_number dup key: { .. }`. The values come last, so the
/// first match of each word is the server's own. A clustered collection has no index of `_id`, and the message names no
/// index: `E11000 duplicate key error collection: shop.parts dup key: { _id: 1 }`.
fn index_in(message: &str) -> &str {
    if clustered_key_in(message).is_some() {
        return "_id_";
    }
    let Some((_, after)) = message.split_once(" index: ") else { return "" };
    let end = [" collation: {", " dup key: "].iter().filter_map(|word| after.find(word)).min();
    &after[..end.unwrap_or(after.len())]
}

/// Returns the stored key, in the server's notation: everything behind the name of the index.
pub(crate) fn key_in(message: &str) -> &str {
    if let Some(key) = clustered_key_in(message) {
        return key;
    }
    let after = message.split_once(" index: ").and_then(|(_, after)| after.split_once(" dup key: "));
    after.map_or("", |(_, key)| key)
}

/// Returns the stored `_id` of a clustered collection; `None` when the message names an index.
fn clustered_key_in(message: &str) -> Option<&str> {
    let (before, key) = message.split_once(" dup key: ")?;
    (!before.contains(" index: ")).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_and_the_key_are_read_whatever_the_values_are() {
        let of = |message| (index_in(message), key_in(message));
        let message =
            "E11000 duplicate key error collection: t.y index: by_a dup key: { a: \"} index: x dup key: {\" }";
        assert_eq!(of(message), ("by_a", "{ a: \"} index: x dup key: {\" }"));
        let message =
            "E11000 duplicate key error collection: t.y index: a_1 collation: { locale: \"en\" } dup key: { a: 1 }";
        assert_eq!(of(message), ("a_1", "{ a: 1 }"));
        let message = "E11000 duplicate key error collection: t.y dup key: { _id: \" index: x dup key: {\" }";
        assert_eq!(of(message), ("_id_", "{ _id: \" index: x dup key: {\" }"));
        assert_eq!(of("E11000"), ("", ""));
        assert_eq!(of("E11000 duplicate key error collection: t.y index: a"), ("a", ""));
    }
}

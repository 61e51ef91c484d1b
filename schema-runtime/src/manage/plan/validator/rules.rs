//! The words of a validator for the rules about a value (`#[check(..)]`). Pure.

use mongodb::bson::{Bson, Document, doc};

use crate::definition::{Shape, ValueRule};

/// Adds the rules of a shape to the rule for a value of the shape. A limit is at least as strict as the range of the
/// type, and replaces the range. A second rule with the same word stands in `allOf`.
pub(super) fn add(rule: &mut Document, shape: &Shape) {
    let (mut words, mut further) = (Document::new(), Vec::new());
    // The server knows no function of the user.
    for of_value in shape.rules.iter().filter(|rule| !matches!(rule, ValueRule::With(_))) {
        let added = words_of(of_value, shape);
        if added.keys().any(|word| words.contains_key(word)) {
            further.push(Bson::Document(added));
        } else {
            words.extend(added);
        }
    }
    rule.extend(words);
    if !further.is_empty() {
        rule.insert("allOf", further);
    }
}

fn words_of(rule: &ValueRule, shape: &Shape) -> Document {
    let word = rule.word(&shape.kind);
    let limit = rule.limit().map(Bson::from);
    match rule {
        // MongoDB knows the words of JSON Schema, draft 4: the limit and the kind of the limit are two words.
        ValueRule::MoreThan(_) => doc! { "minimum": limit, word: true },
        ValueRule::LessThan(_) => doc! { "maximum": limit, word: true },
        ValueRule::OneOf(values) => {
            let null = shape.nullable.then_some(Bson::Null);
            doc! { word: values.iter().map(|value| Bson::from(*value)).chain(null).collect::<Vec<_>>() }
        }
        ValueRule::UniqueItems => doc! { word: true },
        _ => doc! { word: limit },
    }
}

//! The words of a JSON Schema for the rules about a value (`#[check(..)]`).

use serde_json::{Map, Value, json};

use crate::definition::{Literal, Shape, ValueRule};

/// Adds the rules of a shape to the schema of a value of the shape. A second rule with the same word stands in `allOf`.
pub(super) fn add(schema: &mut Value, shape: &Shape) {
    let (mut words, mut further) = (Map::new(), Vec::new());
    // A schema has no word for a function of the user.
    for rule in shape.rules.iter().filter(|rule| !matches!(rule, ValueRule::With(_))) {
        let (word, limit) = (rule.word(&shape.kind), limit_of(rule));
        if words.contains_key(word) {
            further.push(json!({ word: limit }));
            continue;
        }
        words.insert(word.to_owned(), limit);
        match rule {
            ValueRule::Email => drop(words.insert("format".to_owned(), "email".into())),
            ValueRule::Url => drop(words.insert("format".to_owned(), "uri".into())),
            _ => {}
        }
    }
    for (word, limit) in words {
        schema[word] = limit;
    }
    if !further.is_empty() {
        schema["allOf"] = further.into();
    }
}

fn limit_of(rule: &ValueRule) -> Value {
    match (rule, rule.limit()) {
        (ValueRule::OneOf(values), _) => values.iter().copied().map(value_of).collect(),
        (_, Some(Literal::String(pattern))) => of_ecma(pattern).into(),
        (_, Some(limit)) => value_of(limit),
        (_, None) => true.into(),
    }
}

fn value_of(literal: Literal) -> Value {
    match literal {
        Literal::Bool(value) => value.into(),
        Literal::Integer(value) => value.into(),
        Literal::Double(value) => value.into(),
        Literal::String(value) => value.into(),
    }
}

/// Returns a pattern in the syntax of ECMA-262, which is the syntax of JSON Schema.
fn of_ecma(pattern: &str) -> String {
    let (mut text, mut characters) = (String::new(), pattern.chars());
    while let Some(character) = characters.next() {
        match (character, if character == '\\' { characters.next() } else { None }) {
            ('\\', Some('z')) => text.push('$'),
            ('\\', Some('x')) => text.push_str("\\u"),
            ('\\', Some(escaped)) => text.extend(['\\', escaped]),
            _ => text.push(character),
        }
    }
    text
}

//! The settings of text, wildcard and plane indexes: `weights(title = 10)`, `only(tags)`, `bits = 26`.

use crate::{
    errors::Errors,
    model::{Place, Settings, Weight},
    parse::{Argument, Arguments, Constant, Value},
};

pub(super) fn lower_settings(options: &Arguments, errors: &Errors) -> Settings {
    let places = |word| options.get(word).map(|argument| lower_places(argument, errors)).unwrap_or_default();
    let limit = |word| {
        let argument = options.get(word)?;
        let value = match argument.limit()? {
            Constant::Integer(value) => value as f64,
            Constant::Double(value) => value,
            Constant::Bool(_) | Constant::String(_) => return None,
        };
        Some((value, argument.tokens.clone()))
    };
    let weights = options.get("weights").map(Argument::inside).unwrap_or_default();
    Settings {
        weights: weights.iter().filter_map(|weight| lower_weight(weight, errors)).collect(),
        language: options.get("language").and_then(|argument| Some((argument.text()?, argument.tokens.clone()))),
        language_field: options
            .get("language_field")
            .and_then(|argument| Some((argument.name()?, argument.tokens.clone()))),
        only: places("only"),
        except: places("except"),
        bits: options.get("bits").and_then(|argument| Some((argument.number()?, argument.tokens.clone()))),
        min: limit("min"),
        max: limit("max"),
    }
}

fn lower_weight(argument: &Argument, errors: &Errors) -> Option<Weight> {
    let Some(weight) = argument.number().filter(|_| !argument.word.is_empty()) else {
        errors.at(
            &argument.tokens,
            "a weight is a field and a whole number above 0\nhelp: write `weights(title = 10)`; a field without a weight counts 1",
        );
        return None;
    };
    Some(Weight { path: argument.path(), weight, tokens: argument.tokens.clone() })
}

pub(in crate::lower) fn lower_places(argument: &Argument, errors: &Errors) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for inside in argument.inside() {
        if !matches!(inside.value, Value::None) || inside.word.is_empty() {
            let word = &argument.word;
            errors.at(
                &inside.tokens,
                format!("`{word}(..)` names fields of this struct\nhelp: write `{word}(attributes, tags)`"),
            );
            continue;
        }
        let path = inside.path();
        if let Some(other) = places.iter().find(|other| path.starts_with(&other.path) || other.path.starts_with(&path))
        {
            let (path, other) = (path.join("."), other.path.join("."));
            errors.at(
                &inside.tokens,
                format!("`{path}` and `{other}` name the same part of a document\nhelp: remove `{path}`"),
            );
            continue;
        }
        places.push(Place { path, tokens: inside.tokens.clone() });
    }
    places
}

//! Rule: `wildcard_index`. The page is `guide/pages/rules/wildcard_index.md`.

use crate::{
    errors::Errors,
    model::{Direction, Index, Model},
};

const ID: &str = "wildcard_index";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    for index in &model.indexes {
        match index.keys.iter().find(|key| key.direction == Direction::Wildcard) {
            Some(key) => enforce_one(index, key.path.is_empty(), errors),
            None => {
                if let Some((word, place)) = paths(index) {
                    let what = format!("`{word}(..)` is for a wildcard index, and this index has no `wildcard`");
                    errors.rule(place, ID, &what, &format!("write `#[index(wildcard, {word}(..))]`"));
                }
            }
        }
    }
}

fn paths(index: &Index) -> Option<(&'static str, &syn::Expr)> {
    let only = index.settings.only.first().map(|place| ("only", &place.tokens));
    only.or_else(|| index.settings.except.first().map(|place| ("except", &place.tokens)))
}

fn enforce_one(index: &Index, is_whole: bool, errors: &Errors) {
    if let Some(key) = index.keys.iter().find(|key| key.direction != Direction::Wildcard).or(index.keys.get(1)) {
        let what = "a wildcard index has a single key";
        errors.rule(&key.tokens, ID, what, "declare a separate index for this field");
    }
    for (word, tokens) in [("unique", &index.unique), ("sparse", &index.sparse)] {
        if let Some(tokens) = tokens {
            let what = format!("MongoDB refuses `{word}` on a wildcard index");
            errors.rule(tokens, ID, &what, &format!("remove `{word}`, or declare an index over a single field"));
        }
    }
    let settings = &index.settings;
    if let (false, Some((word, tokens))) = (is_whole, paths(index)) {
        let what = format!("`{word}(..)` is for a wildcard index of the whole document");
        let help = format!("write `#[index(wildcard, {word}(..))]` with paths of the document, or remove `{word}(..)`");
        errors.rule(tokens, ID, &what, &help);
    } else if let ([_, ..], [second, ..]) = (&settings.only[..], &settings.except[..]) {
        let what = "`except(..)` contradicts `only(..)`: an index has the named paths, or all except the named paths";
        errors.rule(&second.tokens, ID, what, "remove `only(..)` or `except(..)`");
    }
}

//! Rule: `index_name`. The page is `guide/pages/rules/index_name.md`.

use syn::LitStr;

use super::{hidden_index, redundant_index};
use crate::{
    errors::Errors,
    model::{Collation, Index, Model, Origin, Place},
};

const ID: &str = "index_name";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    for (at, index) in model.indexes.iter().enumerate() {
        let Some(name) = &index.name else {
            enforce_default(model, at, errors);
            continue;
        };
        let text = name.value();
        if text == "_id_" {
            let what = "`_id_` is the name of the server's index of `_id`";
            errors.rule(name, ID, what, "choose another name, or remove `name`");
        } else if model.indexes[..at].iter().any(|other| is_called(other, &text)) {
            let what = format!("an index of this model has the name `{text}` already");
            errors.rule(name, ID, &what, "choose another name, or remove `name`");
        } else if is_default(model, at, name) {
            let what =
                format!("another index of this model has the name `{text}` already, made from the keys of the index");
            errors.rule(name, ID, &what, "choose another name, or remove `name`");
        }
    }
}

/// Judges a declared index without a name. The fields inside of fields have the same stored names in both indexes.
fn enforce_default(model: &Model, at: usize, errors: &Errors) {
    let index = &model.indexes[at];
    let Origin::Declared(word) = &index.origin else { return };
    let keys = |index: &Index| index.keys.iter().map(|key| (key.path.clone(), key.direction)).collect::<Vec<_>>();
    let paths = |places: &[Place]| places.iter().map(|place| place.path.clone()).collect::<Vec<_>>();
    let is_doubled = |other: &&Index| {
        matches!(other.origin, Origin::Declared(_))
            && other.name.is_none()
            && keys(other) == keys(index)
            && other.variant == index.variant
            && other.collation.as_ref().map(Collation::in_name) == index.collation.as_ref().map(Collation::in_name)
            && paths(&other.settings.only) == paths(&index.settings.only)
            && paths(&other.settings.except) == paths(&index.settings.except)
            && !index.has_words()
            && !is_refused(model, other, index)
    };
    if model.indexes[..at].iter().any(|other| is_doubled(&other)) {
        let what = "another index of this model has the same keys, and so the same name";
        errors.rule(word, ID, what, "add `name = \"..\"` to one of the indexes");
    }
}

/// Returns whether a rule about two indexes of equal keys has a message about the indexes.
fn is_refused(model: &Model, first: &Index, second: &Index) -> bool {
    redundant_index::is_same(model, first, second)
        || hidden_index::is_needed(model, first, second) && second.hidden.is_some()
        || hidden_index::is_needed(model, second, first) && first.hidden.is_some()
}

fn is_called(index: &Index, text: &str) -> bool {
    index.name.as_ref().is_some_and(|name| name.value() == text)
}

/// Returns whether another index has this name after the keys.
fn is_default(model: &Model, at: usize, name: &LitStr) -> bool {
    let others = model.indexes.iter().enumerate().filter(|(other, index)| *other != at && index.name.is_none());
    others.map(|(_, index)| index).any(|index| {
        index.default_name(&model.record).is_some_and(|default| default == name.value()) && is_made(index, model)
    })
}

/// Returns whether a plan makes the index: a declared index, or an index that no declared index serves. The index of a
/// query gets another name when the name is taken.
pub(super) fn is_made(index: &Index, model: &Model) -> bool {
    let is_declared = |index: &Index| matches!(index.origin, Origin::Declared(_));
    let serves = |other: &Index| {
        let keys = |index: &Index| index.keys.iter().map(|key| (key.path.clone(), key.direction)).collect::<Vec<_>>();
        is_declared(other)
            && other.hidden.is_none()
            && Collation::same(other.collation.as_ref(), index.collation.as_ref())
            && keys(other).starts_with(&keys(index))
    };
    match index.origin {
        Origin::Declared(_) => true,
        Origin::Query(_) => false,
        Origin::Relation(_) | Origin::ShardKey | Origin::Slug(_) | Origin::Tree(_) => !model.indexes.iter().any(serves),
    }
}

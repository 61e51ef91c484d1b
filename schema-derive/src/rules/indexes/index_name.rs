//! Rule: `index_name`
//!
//! Each index of a collection has a separate name, and `_id_` is the name of the server's index of `_id`. An index
//! without `name = ".."` is called after the keys, as `email_1`, with the collation behind, as `email_1_en_2`.
//!
//! Source: MongoDB, "Create an Index", "index names"; the server refuses a second index of the same name
//! (`IndexKeySpecsConflict`).

use syn::LitStr;

use crate::{
    errors::Errors,
    model::{Collation, Index, Model, Origin},
};

const ID: &str = "index_name";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    for (at, index) in model.indexes.iter().enumerate() {
        let Some(name) = &index.name else { continue };
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

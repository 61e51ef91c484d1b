//! Rule: `query_hint`
//!
//! The hint of a declared query names an index of the model: `_id_`, the `name = ".."` of an index, or the name after
//! the keys, as `email_1`. The server refuses a read with a hint that names no index, a hidden index or the text
//! index of a search. In a model with an index on an embedded field, whose stored name another struct declares, the
//! read checks the hint before the command is sent.
//!
//! Source: MongoDB, "cursor.hint()", "the index must exist".

use super::index_name::{default_name, is_made};
use crate::{errors::Errors, model::Model};

const ID: &str = "query_hint";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let hints = model.queries.iter().filter_map(|query| query.hint.as_ref());
    for hint in hints {
        let Some(names) = names_of(model) else { return };
        if !names.contains(&hint.value()) {
            let listed: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let what = format!("this model has no index `{}`", hint.value());
            errors.rule(hint, ID, &what, &format!("write the name of an index: {}", listed.join(", ")));
        }
    }
}

/// Returns the names of the indexes of the model; `None` when the fields of this item do not say all names.
fn names_of(model: &Model) -> Option<Vec<String>> {
    let mut names = vec!["_id_".to_owned()];
    for index in &model.indexes {
        let name = match &index.name {
            Some(name) => name.value(),
            None => default_name(index, &model.record)?,
        };
        if index.hidden.is_none() && !index.has_words() && is_made(index, model) && !names.contains(&name) {
            names.push(name);
        }
    }
    Some(names)
}

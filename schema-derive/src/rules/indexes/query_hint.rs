//! Rule: `query_hint`. The page is `guide/pages/rules/query_hint.md`.

use super::index_name::is_made;
use crate::{
    errors::Errors,
    model::{Collation, Index, Model, Need, Query},
};

const ID: &str = "query_hint";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    for query in &model.queries {
        let Some(hint) = &query.hint else { continue };
        if let Some(names) = names_of(model)
            && !names.contains(&hint.value())
        {
            let listed: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let what = format!("this model has no index `{}`", hint.value());
            errors.rule(hint, ID, &what, &format!("write the name of an index: {}", listed.join(", ")));
            continue;
        }
        let index = model.indexes.iter().find(|index| index.called(&model.record).as_ref() == Some(&hint.value()));
        let of_index = index.and_then(|index| index.collation.as_ref());
        if (index.is_some() || hint.value() == "_id_") && !Collation::same(of_index, query.collation.as_ref()) {
            let (of_index, of_query) = (words(of_index), words(query.collation.as_ref()));
            let what = format!(
                "the index `{}` compares texts {of_index}, and the query {of_query}: the index finds no text of the query",
                hint.value()
            );
            errors.rule(hint, ID, &what, "give the query and the index one collation, or remove the hint");
        } else if let Some(at) = query.partial_index(&model.indexes, &model.record) {
            enforce_partial(model, query, &model.indexes[at], errors);
        }
    }
}

fn words(collation: Option<&Collation>) -> String {
    match collation {
        Some(collation) => format!("by the collation `{}`", collation.in_name()),
        None => "by bytes".to_owned(),
    }
}

/// Judges a query over the documents of a partial index.
fn enforce_partial(model: &Model, query: &Query, index: &Index, errors: &Errors) {
    let Some(hint) = &query.hint else { return };
    let compares =
        |path: &[String]| index.partial.iter().any(|clause| clause.path == path && clause.operator != "Exists");
    if let Some(condition) = query.conditions.iter().find(|condition| compares(&condition.path)) {
        let path = condition.path.join(".");
        let what = format!(
            "the filter of the partial index `{}` compares `{path}` already, and the query finds nothing where its own value contradicts the filter",
            hint.value()
        );
        errors.rule(&condition.tokens, ID, &what, &format!("remove `{path}` from the query, or remove the hint"));
    } else if Need::of(query, &model.record).is_some_and(|need| !need.fits(index)) {
        let what = format!("the partial index `{}` does not serve this query", hint.value());
        let help = "begin the keys of the index with the compared fields, then the fields of the order, then the ranges; or remove the hint";
        errors.rule(hint, ID, &what, help);
    }
}

/// Returns the names of the indexes of the model; `None` when the fields of this item do not say all names.
fn names_of(model: &Model) -> Option<Vec<String>> {
    let mut names = vec!["_id_".to_owned()];
    for index in &model.indexes {
        let name = index.called(&model.record)?;
        if index.hidden.is_none() && !index.has_words() && is_made(index, model) && !names.contains(&name) {
            names.push(name);
        }
    }
    Some(names)
}

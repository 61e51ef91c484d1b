//! Rule: `search_definition`. The page is `guide/pages/rules/search_definition.md`.

use crate::{
    errors::Errors,
    model::{Kind, Model, SearchField, SearchIndexKind, VectorIndex},
};

const ID: &str = "search_definition";
const MOST_DIMENSIONS: u64 = 8_192;

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    for (at, index) in model.search_indexes.iter().enumerate() {
        let attribute = index.word.to_string();
        if let Some((kind, help)) = refused_kind(model) {
            errors.rule(&index.word, ID, &format!("`{attribute}` is not for {kind}"), help);
            continue;
        }
        let name = index.name();
        if model.search_indexes[..at].iter().any(|other| other.name() == name) {
            let what = format!("a search index or a vector index of this model has the name `{name}` already");
            let help = "write another name: `name = \"..\"`";
            match &index.name {
                Some(written) => errors.rule(written, ID, &what, help),
                None => errors.rule(&index.word, ID, &what, help),
            }
        } else if let Some(written) = index.name.as_ref().filter(|name| name.value().trim().is_empty()) {
            errors.rule(written, ID, "the name of an index is not empty", "write a name, or remove `name`");
        }
        match &index.kind {
            SearchIndexKind::Search { fields, .. } => enforce_fields(fields, errors),
            SearchIndexKind::Vector(vector) => enforce_vector(vector, errors),
        }
    }
}

/// Returns the kind of the collection and the help, when the kind has no search indexes.
fn refused_kind(model: &Model) -> Option<(&'static str, &'static str)> {
    if model.bucket.is_some() {
        let help = "remove the index, or remove `bucket(..)` from `#[model(..)]`";
        return Some(("a model in buckets: a document is a bucket of many children", help));
    }
    match model.options.kind()?.kind {
        Kind::TimeSeries(_) => Some((
            "a time series: MongoDB has no search index of measurements",
            "remove the index, or store the documents in a plain collection",
        )),
        Kind::View(_) => {
            Some(("a view: this crate changes no index through a view", "write the index on the model of the source"))
        }
        Kind::Capped { .. } | Kind::Clustered { .. } => None,
    }
}

fn enforce_fields(fields: &[SearchField], errors: &Errors) {
    for (at, field) in fields.iter().enumerate() {
        let is_same = |other: &SearchField| other.place.path == field.place.path && other.form == field.form;
        if fields[..at].iter().any(is_same) {
            let path = field.place.path.join(".");
            let what = format!("`{path}` is in this search index as `{}` already", field.form.word());
            errors.rule(&field.place.tokens, ID, &what, &format!("remove the second `{path}`"));
        }
    }
}

fn enforce_vector(vector: &VectorIndex, errors: &Errors) {
    if vector.dimensions.value > MOST_DIMENSIONS {
        let what = format!("a vector has 1 to 8192 dimensions, and not {}", vector.dimensions.value);
        errors.rule(&vector.dimensions.tokens, ID, &what, "write the length of the vectors that the model stores");
    }
    if let Some(place) = vector.filter.iter().find(|place| place.path == vector.place.path) {
        let what =
            format!("`{}` is the vector of this index, and a filter compares another field", place.path.join("."));
        errors.rule(&place.tokens, ID, &what, "remove the field from `filter(..)`");
    }
}

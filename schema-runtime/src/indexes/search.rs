//! Search indexes and vector indexes in the notation of MongoDB Atlas, and the comparison of two indexes. Pure.

use mongodb::bson::{Bson, Document, doc};

use super::compare::same;
use crate::definition::{Kind, ModelDefinition, SearchField, SearchForm, SearchIndexKind, Shape, VectorIndex};

/// The type of an index for `$search`.
pub(crate) const SEARCH: &str = "search";
/// The type of an index for `$vectorSearch`.
pub(crate) const VECTOR: &str = "vectorSearch";

/// A search index or a vector index, in the notation of MongoDB Atlas.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SearchIndex {
    /// The name.
    pub name: String,
    /// The type: `search` or `vectorSearch`.
    pub kind: String,
    /// The definition: the mappings of a search index, or the fields of a vector index.
    pub definition: Document,
}

impl SearchIndex {
    /// Returns the index as an element of the command `createSearchIndexes`.
    pub fn to_document(&self) -> Document {
        doc! { "name": &self.name, "type": &self.kind, "definition": self.definition.clone() }
    }
}

/// Returns the search indexes and the vector indexes that a model declares.
pub(crate) fn wanted_search_indexes(model: &ModelDefinition) -> Vec<SearchIndex> {
    let indexes = model.search_indexes.iter().map(|index| {
        let (kind, definition) = match index.kind {
            SearchIndexKind::Search { dynamic, fields } => (SEARCH, mappings(model, dynamic, fields)),
            SearchIndexKind::Vector(vector) => (VECTOR, vectors(model, &vector)),
        };
        SearchIndex { name: index.name.to_owned(), kind: kind.to_owned(), definition }
    });
    indexes.collect()
}

fn vectors(model: &ModelDefinition, vector: &VectorIndex) -> Document {
    let mut fields = vec![doc! {
        "type": "vector",
        "path": model.stored_path(vector.path),
        "numDimensions": i64::from(vector.dimensions),
        "similarity": vector.similarity.word(),
    }];
    let filter = vector.filter.iter().map(|path| doc! { "type": "filter", "path": model.stored_path(path) });
    fields.extend(filter);
    doc! { "fields": fields }
}

fn mappings(model: &ModelDefinition, dynamic: bool, fields: &[SearchField]) -> Document {
    let mut mappings = doc! { "dynamic": dynamic };
    for field in fields {
        let path = model.stored_path(field.path);
        let names: Vec<&str> = path.split('.').collect();
        add(&mut mappings, &names, of_field(model, field));
    }
    doc! { "mappings": mappings }
}

/// Adds a field to the fields of a document. A field with several forms has a list of the forms.
fn add(to: &mut Document, names: &[&str], form: Document) {
    let [name, rest @ ..] = names else { return };
    if to.get_document("fields").is_err() {
        to.insert("fields", Document::new());
    }
    let Ok(fields) = to.get_document_mut("fields") else { return };
    if !rest.is_empty() {
        if fields.get_document(name).is_err() {
            fields.insert(*name, doc! { "type": "document" });
        }
        if let Ok(inner) = fields.get_document_mut(name) {
            add(inner, rest, form);
        }
        return;
    }
    let form = match fields.remove(name) {
        None => Bson::Document(form),
        Some(Bson::Array(mut forms)) => {
            forms.push(form.into());
            Bson::Array(forms)
        }
        Some(other) => Bson::Array(vec![other, form.into()]),
    };
    fields.insert(*name, form);
}

fn of_field(model: &ModelDefinition, field: &SearchField) -> Document {
    match field.form {
        SearchForm::Text { analyzer, search_analyzer } => {
            let mut form = doc! { "type": "string" };
            for (option, value) in [("analyzer", analyzer), ("searchAnalyzer", search_analyzer)] {
                if let Some(value) = value {
                    form.insert(option, value);
                }
            }
            form
        }
        SearchForm::Autocomplete => doc! { "type": "autocomplete" },
        SearchForm::Facet => {
            let shape = model.resolve(field.path).map(|path| path.shape);
            doc! { "type": shape.map_or("token", |shape| facet(&shape)) }
        }
    }
}

/// Returns the type of a facet. Atlas counts strings as tokens.
fn facet(shape: &Shape) -> &'static str {
    match shape.kind {
        Kind::Array { items, .. } => facet(items),
        Kind::Scalar(scalar) if scalar.is_number() => "number",
        Kind::Scalar(_) => "date",
        _ => "token",
    }
}

/// The options that Atlas may write into a definition by itself, with the type of the field and the value; without a
/// type, the option of the whole definition.
const DEFAULTS: [(&str, &str, &str); 15] = [
    ("", "analyzer", "lucene.standard"),
    ("", "searchAnalyzer", "lucene.standard"),
    ("string", "indexOptions", "offsets"),
    ("string", "store", "true"),
    ("string", "norms", "include"),
    ("token", "normalizer", "none"),
    ("number", "representation", "double"),
    ("number", "indexIntegers", "true"),
    ("number", "indexDoubles", "true"),
    ("autocomplete", "tokenization", "edgeGram"),
    ("autocomplete", "minGrams", "2"),
    ("autocomplete", "maxGrams", "15"),
    ("autocomplete", "foldDiacritics", "true"),
    ("document", "dynamic", "false"),
    ("vector", "quantization", "none"),
];

/// Returns whether two search indexes are the same, without the options that Atlas writes by itself.
pub(crate) fn same_search_index(left: &SearchIndex, right: &SearchIndex) -> bool {
    let plain = |index: &SearchIndex| plain(Bson::Document(index.definition.clone()));
    left.name == right.name && left.kind == right.kind && same(&plain(left), &plain(right))
}

/// Removes default options, and writes a list of a single form as the form. Lists of forms and of fields are in the
/// order of their texts.
fn plain(value: Bson) -> Bson {
    match value {
        Bson::Document(document) => {
            let of = document.get_str("type").unwrap_or_default().to_owned();
            let is_default = |option: &str, value: &Bson| {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                DEFAULTS.contains(&(of.as_str(), option, text.as_str()))
            };
            let kept = document.into_iter().filter(|(option, value)| !is_default(option, value));
            Bson::Document(kept.map(|(option, value)| (option, plain(value))).collect())
        }
        Bson::Array(list) => {
            let mut list: Vec<Bson> = list.into_iter().map(plain).collect();
            list.sort_by_key(ToString::to_string);
            match list.pop() {
                Some(only @ Bson::Document(_)) if list.is_empty() => only,
                Some(last) => {
                    list.push(last);
                    Bson::Array(list)
                }
                None => Bson::Array(list),
            }
        }
        value => value,
    }
}

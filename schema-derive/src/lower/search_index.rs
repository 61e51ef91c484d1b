//! `#[search_index(..)]` and `#[vector_index(..)]` on the struct.

use proc_macro2::Ident;
use syn::Expr;

use super::{given::Given, index::lower_places, number};
use crate::{
    attributes::{
        Attribute,
        words::{OF_SEARCH_INDEX, OF_SEARCH_TEXT, OF_VECTOR_INDEX},
    },
    errors::Errors,
    model::{Place, SearchField, SearchForm, SearchIndex, SearchIndexKind, Similarity, VectorIndex},
    parse::{Argument, Arguments, Value, Word, did_you_mean, path_of},
};

const FORMS: &str =
    "the forms of a field are `text`, `text(analyzer = \"lucene.norwegian\")`, `autocomplete` and `facet`";
const EXAMPLE: &str = "write `#[vector_index(embedding, dimensions = 768, similarity = cosine)]`";

/// Reads the search indexes and the vector indexes.
pub(super) fn lower_search_indexes(given: &Given<'_>, errors: &Errors) -> Vec<SearchIndex> {
    let read = |attribute| move |tokens| (attribute, Arguments::read(tokens, errors));
    let searches = given.all(Attribute::SearchIndex).map(read(Attribute::SearchIndex));
    let vectors = given.all(Attribute::VectorIndex).map(read(Attribute::VectorIndex));
    let mut indexes = Vec::new();
    for (attribute, mut arguments) in searches.chain(vectors) {
        let word = Ident::new(attribute.word(), arguments.span);
        let kind = match attribute {
            Attribute::SearchIndex => lower_search(&mut arguments, &word, errors),
            _ => lower_vector(&mut arguments, &word, errors),
        };
        let name = arguments.get("name").and_then(Argument::text);
        indexes.extend(kind.map(|kind| SearchIndex { word, name, kind }));
    }
    indexes
}

/// Reads `#[search_index(name = "products", title = text, brand = facet)]`: a field may have the name of an option.
fn lower_search(arguments: &mut Arguments, word: &Ident, errors: &Errors) -> Option<SearchIndexKind> {
    let before = errors.count();
    let is_literal = |argument: &Argument| matches!(argument.value, Value::Assigned(Expr::Lit(_) | Expr::Unary(_)));
    let is_field = |argument: &Argument| !is_option(argument, OF_SEARCH_INDEX) && !is_literal(argument);
    let fields = arguments.take(|argument| is_field(argument) || has_form(argument));
    let fields: Vec<SearchField> = fields.iter().filter_map(|field| lower_field(field, errors)).collect();
    arguments.expect_words(OF_SEARCH_INDEX, errors);
    let dynamic = arguments.get("dynamic").is_some();
    if fields.is_empty() && !dynamic {
        if errors.count() == before && !arguments.is_broken {
            errors.at(
                word,
                "this search index has no field\nhelp: name the fields of the struct: `#[search_index(title = text, brand = facet)]`; or write `dynamic` for all fields",
            );
        }
        return None;
    }
    Some(SearchIndexKind::Search { dynamic, fields })
}

fn is_option(argument: &Argument, options: &[Word]) -> bool {
    argument.word.is_empty() || options.iter().any(|option| option.name == argument.word)
}

/// Returns whether the argument is a field with a form: `name = text`.
fn has_form(argument: &Argument) -> bool {
    let word = match &argument.value {
        Value::Assigned(Expr::Call(call)) => path_of(&call.func),
        Value::Assigned(value) => path_of(value),
        Value::None | Value::List(_) | Value::Typed(_) => None,
    };
    word.is_some_and(|word| SearchForm::WORDS.contains(&word.join(".").as_str()))
}

/// Reads `title = text(analyzer = "lucene.norwegian")`; `None` after a mistake.
fn lower_field(argument: &Argument, errors: &Errors) -> Option<SearchField> {
    let Some(mut form) = argument.assigned(errors) else {
        let field = if argument.word.is_empty() { "title" } else { argument.word.as_str() };
        let field = if SearchForm::WORDS.contains(&field) { "title" } else { field };
        errors.at(
            &argument.tokens,
            format!("a field of a search index has a form\nhelp: write `{field} = text`; {FORMS}"),
        );
        return None;
    };
    let Some(word) = SearchForm::ALL.iter().copied().find(|word| word.word() == form.word) else {
        let near = did_you_mean(&form.word, SearchForm::WORDS);
        errors.at(
            &form.tokens,
            format!("unknown form `{}` of a field of a search index{near}\nhelp: {FORMS}", form.word),
        );
        return None;
    };
    match (&mut form.value, word) {
        (Value::None, _) => {}
        (Value::List(list), SearchForm::Text) if !list.is_empty() => {
            crate::parse::judge("text(..)", list, OF_SEARCH_TEXT, errors);
        }
        _ => {
            errors.at(&form.tokens, format!("`{}` takes no words here\nhelp: {FORMS}", form.word));
            return None;
        }
    }
    let text = |word: &str| form.inside().iter().find(|inside| inside.word == word).and_then(Argument::text);
    Some(SearchField {
        place: Place { path: argument.path(), tokens: argument.tokens.clone() },
        form: word,
        analyzer: text("analyzer"),
        search_analyzer: text("search_analyzer"),
    })
}

/// Reads `#[vector_index(embedding, dimensions = 768, similarity = cosine, filter(brand))]`.
fn lower_vector(arguments: &mut Arguments, word: &Ident, errors: &Errors) -> Option<SearchIndexKind> {
    let before = errors.count();
    let is_field = |argument: &Argument| matches!(argument.value, Value::None) && !argument.word.is_empty();
    let fields = arguments.take(|argument| is_field(argument) && !is_option(argument, OF_VECTOR_INDEX));
    arguments.expect_words(OF_VECTOR_INDEX, errors);
    if let [_, second, ..] = fields.as_slice() {
        errors.at(
            &second.tokens,
            "a vector index is over one field\nhelp: write a second `#[vector_index(..)]`, or write the field in `filter(..)`",
        );
    }
    let filter = arguments.get("filter").map(|argument| lower_places(argument, errors)).unwrap_or_default();
    let dimensions = number(arguments.get("dimensions"));
    let similarity = arguments.get("similarity").and_then(|argument| lower_similarity(argument, errors));
    let (Some(field), Some(dimensions), Some(similarity)) = (fields.first(), dimensions, similarity) else {
        if errors.count() == before && !arguments.is_broken {
            errors.at(
                word,
                format!("a vector index has a field, the number of dimensions and a similarity\nhelp: {EXAMPLE}"),
            );
        }
        return None;
    };
    let place = Place { path: field.path(), tokens: field.tokens.clone() };
    Some(SearchIndexKind::Vector(Box::new(VectorIndex { place, dimensions, similarity, filter })))
}

fn lower_similarity(argument: &Argument, errors: &Errors) -> Option<Similarity> {
    let name = argument.name()?.to_string();
    let found = Similarity::ALL.iter().copied().find(|similarity| similarity.word() == name);
    if found.is_none() {
        let near = did_you_mean(&name, Similarity::WORDS);
        errors.at(
            &argument.tokens,
            format!("unknown similarity `{name}`{near}\nhelp: write `cosine`, `dot_product` or `euclidean`"),
        );
    }
    found
}

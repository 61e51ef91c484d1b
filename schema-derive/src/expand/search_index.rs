//! Search indexes and vector indexes as data, and the calls of their checks.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use syn::LitStr;

use super::{check_call::check, literal::number};
use crate::model::{Model, Place, SearchField, SearchForm, SearchIndex, SearchIndexKind, Similarity, VectorIndex};

/// Writes `.search_indexes(&[..])`; nothing for a model without search indexes.
pub(super) fn expand_search_indexes(model: &Model) -> Option<TokenStream> {
    let indexes = model.search_indexes.iter().map(expand_search_index);
    (!model.search_indexes.is_empty()).then(|| quote!(.search_indexes(&[#(#indexes),*])))
}

fn expand_search_index(index: &SearchIndex) -> TokenStream {
    let name = index.name();
    match &index.kind {
        SearchIndexKind::Search { dynamic, fields } => {
            let fields = fields.iter().map(expand_field);
            let dynamic = dynamic.then(|| quote!(.dynamic()));
            quote!(__schema::SearchIndexDefinition::search(#name, &[#(#fields),*]) #dynamic)
        }
        SearchIndexKind::Vector(vector) => {
            let VectorIndex { place, dimensions, similarity, filter } = &**vector;
            let (path, dimensions) = (&place.path, number(dimensions.value.min(u64::from(u32::MAX))));
            let similarity = variant(match similarity {
                Similarity::Cosine => "Cosine",
                Similarity::DotProduct => "DotProduct",
                Similarity::Euclidean => "Euclidean",
            });
            let filter = filter.iter().map(|Place { path, .. }| quote!(&[#(#path),*]));
            quote! {
                __schema::SearchIndexDefinition::vector(
                    #name,
                    __schema::VectorIndex {
                        path: &[#(#path),*],
                        dimensions: #dimensions,
                        similarity: __schema::Similarity::#similarity,
                        filter: &[#(#filter),*],
                    },
                )
            }
        }
    }
}

fn expand_field(field: &SearchField) -> TokenStream {
    let path = &field.place.path;
    let option = |text: &Option<LitStr>| match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    };
    let form = match field.form {
        SearchForm::Text => {
            let (analyzer, search_analyzer) = (option(&field.analyzer), option(&field.search_analyzer));
            quote!(Text { analyzer: #analyzer, search_analyzer: #search_analyzer })
        }
        SearchForm::Autocomplete => quote!(Autocomplete),
        SearchForm::Facet => quote!(Facet),
    };
    quote!(__schema::SearchField { path: &[#(#path),*], form: __schema::SearchForm::#form })
}

/// Writes the check of each field of each index.
pub(super) fn expand_search_checks(model: &Model) -> TokenStream {
    let name = &model.record.ident;
    let mut checks = TokenStream::new();
    for (at, index) in model.search_indexes.iter().enumerate() {
        let at = Literal::usize_unsuffixed(at);
        match &index.kind {
            SearchIndexKind::Search { fields, .. } => {
                for (number, field) in fields.iter().enumerate() {
                    let number = Literal::usize_unsuffixed(number);
                    checks.extend(check(&field.place.tokens, "search_field", quote!(::<#name>), quote!(#at, #number)));
                }
            }
            SearchIndexKind::Vector(vector) => {
                checks.extend(check(&vector.place.tokens, "vector_field", quote!(::<#name>), quote!(#at)));
                for (number, place) in vector.filter.iter().enumerate() {
                    let number = Literal::usize_unsuffixed(number);
                    checks.extend(check(&place.tokens, "vector_filter", quote!(::<#name>), quote!(#at, #number)));
                }
            }
        }
    }
    checks
}

/// Makes a name of the runtime, with the span of the macro call.
fn variant(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

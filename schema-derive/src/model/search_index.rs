//! Search indexes and vector indexes, in the words of the user.

use proc_macro2::Ident;
use syn::LitStr;

use super::{Number, Place};
use crate::words::words;

/// `#[search_index(..)]` or `#[vector_index(..)]`.
pub(crate) struct SearchIndex {
    /// The name of the attribute, with the place in the source.
    pub(crate) word: Ident,
    pub(crate) name: Option<LitStr>,
    pub(crate) kind: SearchIndexKind,
}

pub(crate) enum SearchIndexKind {
    Search {
        /// True when the index also has the fields that `fields` does not name.
        dynamic: bool,
        fields: Vec<SearchField>,
    },
    Vector(Box<VectorIndex>),
}

/// `title = text(analyzer = "lucene.norwegian")`
pub(crate) struct SearchField {
    pub(crate) place: Place,
    pub(crate) form: SearchForm,
    pub(crate) analyzer: Option<LitStr>,
    pub(crate) search_analyzer: Option<LitStr>,
}

words! {
    /// The form of a field in a search index.
    pub(crate) enum SearchForm {
        Text = "text",
        Autocomplete = "autocomplete",
        Facet = "facet",
    }
}

/// `#[vector_index(embedding, dimensions = 768, similarity = cosine, filter(brand))]`
pub(crate) struct VectorIndex {
    pub(crate) place: Place,
    pub(crate) dimensions: Number,
    pub(crate) similarity: Similarity,
    pub(crate) filter: Vec<Place>,
}

words! {
    /// The way in which two vectors are compared.
    pub(crate) enum Similarity {
        Cosine = "cosine",
        DotProduct = "dot_product",
        Euclidean = "euclidean",
    }
}

impl SearchIndex {
    /// Returns the name on the server: the given name, or the usual name of the kind.
    pub(crate) fn name(&self) -> String {
        match (&self.name, &self.kind) {
            (Some(name), _) => name.value(),
            (None, SearchIndexKind::Search { .. }) => "default".to_owned(),
            (None, SearchIndexKind::Vector(_)) => "vector_index".to_owned(),
        }
    }
}

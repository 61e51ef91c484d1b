//! `#[derive(Facets)]`: a page of documents and the numbers beside the page.

use proc_macro2::{Ident, TokenStream};
use syn::{Path, Type};

use super::{
    Number, QueryKey,
    aggregate::{AggregateValue, FieldPath},
};
use crate::parse::Constant;

/// The result of a read of facets.
pub(crate) struct Facets {
    pub(crate) ident: Ident,
    /// The model of the documents.
    pub(crate) of: Path,
    pub(crate) fields: Vec<FacetField>,
}

/// A field of the result.
pub(crate) struct FacetField {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The name in Rust, without `r#`.
    pub(crate) rust_name: String,
    /// The name in the answer of the server.
    pub(crate) name: String,
    /// The facet; `None` after a mistake, and for a field without an attribute.
    pub(crate) facet: Option<Facet>,
    /// True after a mistake in the attribute.
    pub(crate) broken: bool,
}

/// A facet.
pub(crate) struct Facet {
    pub(crate) kind: FacetKind,
    /// The content of the attribute, or the word.
    pub(crate) tokens: TokenStream,
}

/// The kind of a facet.
pub(crate) enum FacetKind {
    /// `#[page(limit = 20, order = desc(rank))]`
    Page { limit: Option<Number>, order: Vec<QueryKey> },
    /// `#[count_by(brand, limit = 20)]`
    CountBy { of: FieldPath, limit: Option<Number> },
    /// `#[ranges(price, [0, 10, 50])]`
    Ranges { of: FieldPath, limits: Vec<Constant> },
    /// A value of all documents.
    Value(AggregateValue),
}

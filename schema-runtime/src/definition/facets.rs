//! The result of `#[derive(Facets)]`: a page of documents and the numbers beside the page.

use super::{AggregateDefinition, FieldDefinition, IndexKey, Literal, ValueDefinition};

/// The facets of one read, as the attributes of the result say.
#[derive(Clone, Copy, Debug)]
pub struct FacetsDefinition {
    /// The facets with several documents each.
    pub facets: &'static [FacetDefinition],
    /// The values of all documents: a group without keys.
    pub values: AggregateDefinition,
}

impl FacetsDefinition {
    /// Creates the definition.
    pub const fn new(facets: &'static [FacetDefinition], values: &'static [ValueDefinition]) -> Self {
        FacetsDefinition { facets, values: AggregateDefinition::new(&[], &[], values) }
    }
}

/// A facet.
#[derive(Clone, Copy, Debug)]
pub struct FacetDefinition {
    /// The number of the field of the result.
    pub field: usize,
    /// The kind of the facet.
    pub kind: FacetKind,
}

/// The kind of a facet.
#[derive(Clone, Copy, Debug)]
pub enum FacetKind {
    /// The first documents in an order, read into a projection.
    Page {
        /// The most documents.
        limit: u64,
        /// The order.
        order: &'static [IndexKey],
        /// The fields of the projection.
        fields: &'static [FieldDefinition],
    },
    /// The values of a field, each with the number of documents, the greatest number first.
    Counts {
        /// The path of the field, in the names of Rust.
        path: &'static [&'static str],
        /// The most values; 0 for all values.
        limit: u64,
    },
    /// The ranges of a number, each with the number of documents, in ascending order.
    Ranges {
        /// The path of the field, in the names of Rust.
        path: &'static [&'static str],
        /// The begins of the ranges, in ascending order.
        limits: &'static [Literal],
    },
}

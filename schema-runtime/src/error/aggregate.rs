//! The errors of aggregations.

/// Why the server's answer to an aggregation has no value in Rust.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AggregateError {
    /// A sum of integers is over 64 bits. The server answers such a sum as a double, which has lost digits.
    #[error("the sum of `{field}` of `{model}` is over 64 bits: sum fewer documents, or store decimals")]
    Overflow {
        /// The model, or the struct of the result.
        model: &'static str,
        /// The stored path of the field, or the field of the result.
        field: String,
    },
    /// The collection of merged groups has no unique index of the keys.
    #[error(
        "`{collection}` has no unique index of `{keys}`, by which the server merges groups: list `{model}` in `schema![..]`, and apply the plan"
    )]
    NoUniqueIndex {
        /// The collection.
        collection: &'static str,
        /// The model of the collection.
        model: &'static str,
        /// The stored names of the keys.
        keys: String,
    },
    /// The facets are over the 16 MB of a reply, or over the memory of a command on the server.
    #[error(
        "the facets of `{model}` are too large for one command: call `separately()`, which reads each facet by a command of its own, or lower the limits"
    )]
    FacetsTooLarge {
        /// The model.
        model: &'static str,
    },
}

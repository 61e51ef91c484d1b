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
}

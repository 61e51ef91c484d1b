//! The name of a field in JSON.

use syn::Expr;

/// `#[json(rename = "label")]`, `#[json(skip)]`
#[allow(
    clippy::large_enum_variant,
    reason = "the tests build tokens with their places in the source, which are larger"
)]
pub(crate) enum Json {
    /// No attribute: the stored name, or `id` for an `_id`.
    AsStored,
    /// The name, with the argument of the user.
    Renamed {
        name: String,
        tokens: Expr,
    },
    Skipped,
}

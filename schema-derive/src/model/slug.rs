//! `#[slug(from = name, max_len = 80)]`

use syn::Expr;

pub(crate) struct Slug {
    /// The field of the same struct that it is made from, in Rust without `r#`.
    pub(crate) from: String,
    /// `from = name`, as written.
    pub(crate) tokens: Expr,
}

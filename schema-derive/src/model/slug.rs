//! `#[slug(from = name, max_len = 80, follow, keep_old = 5)]`

use syn::Expr;

use super::Number;

pub(crate) struct Slug {
    /// The field of the same struct that it is made from, in Rust without `r#`.
    pub(crate) from: String,
    /// `from = name`, as written.
    pub(crate) tokens: Expr,
    /// `follow`, as written: a new name makes a new one.
    pub(crate) follow: Option<Expr>,
    /// How many earlier ones are kept.
    pub(crate) keep_old: Option<Number>,
}

impl Slug {
    /// Where a document keeps its slugs, the stored name of the current one given.
    pub(crate) fn kept(&self, name: &str) -> Option<String> {
        self.keep_old.as_ref().map(|_| format!("_slugs_{name}"))
    }
}

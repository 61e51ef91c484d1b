//! `#[slug(from = name, max_len = 80, follow, keep_old = 5)]`

use syn::Expr;

use super::Number;

pub(crate) struct Slug {
    /// The field of the same struct that the slug is made from, in Rust without `r#`.
    pub(crate) from: String,
    /// `from = name`, as written.
    pub(crate) tokens: Expr,
    /// `follow`, as written: a new name makes a new slug.
    pub(crate) follow: Option<Expr>,
    /// How many earlier slugs are kept.
    pub(crate) keep_old: Option<Number>,
}

impl Slug {
    /// Returns the stored name of the list of earlier slugs, for the stored name `name` of the current slug; `None`
    /// without `keep_old`.
    pub(crate) fn kept(&self, name: &str) -> Option<String> {
        self.keep_old.as_ref().map(|_| format!("_slugs_{name}"))
    }
}

//! Rules about several fields of a document: `check(lt(starts, ends))` of a model, `#[check(required_if(..))]` of a
//! field.

use proc_macro2::Ident;
use syn::Expr;

use crate::parse::Constant;

/// A rule about several fields, with the tokens of the user.
pub(crate) struct DocumentRule {
    pub(crate) kind: DocumentRuleKind,
    pub(crate) tokens: Expr,
}

/// The fields are in Rust, without `r#`.
pub(crate) enum DocumentRuleKind {
    /// `lt(starts, ends)`
    Compares { operator: &'static str, fields: [String; 2] },
    /// `required_if(state = "paid")` on the field.
    RequiredIf { field: String, on: String, values: Vec<Constant> },
}

/// The crates whose derives judge a value of a model, with the words of the user.
#[derive(Default)]
pub(crate) struct Judges {
    pub(crate) garde: Option<Ident>,
    pub(crate) validator: Option<Ident>,
}

impl DocumentRule {
    /// Returns the fields of the rule.
    pub(crate) fn fields(&self) -> [&str; 2] {
        match &self.kind {
            DocumentRuleKind::Compares { fields: [left, right], .. } => [left, right],
            DocumentRuleKind::RequiredIf { field, on, .. } => [field, on],
        }
    }
}

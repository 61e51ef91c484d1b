//! Writes the rules about several fields of a document.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{check_call::check, literal::expand_literal};
use crate::model::{DocumentRuleKind, Model};

/// Writes `.document_rules(&[..])`; nothing for a model without such rules.
pub(super) fn expand_document_rules(model: &Model) -> Option<TokenStream> {
    let stored = |name: &str| {
        let field = model.record.fields.iter().find(|field| field.rust_name == name);
        field.map_or_else(|| name.to_owned(), |field| field.name.clone())
    };
    let rules = model.document_rules().map(|rule| match &rule.kind {
        DocumentRuleKind::Compares { operator, fields: [left, right] } => {
            let (left, right) = (stored(left), stored(right));
            quote!(__schema::DocumentRule::compares(#operator, #left, #right))
        }
        DocumentRuleKind::RequiredIf { field, on, values } => {
            let (field, on, values) = (stored(field), stored(on), values.iter().map(expand_literal));
            quote!(__schema::DocumentRule::required_if(#field, #on, &[#(#values),*]))
        }
    });
    let mut rules = rules.peekable();
    rules.peek()?;
    Some(quote!(.document_rules(&[#(#rules),*])))
}

/// Writes the checks of the types of the fields.
pub(super) fn expand_document_rule_checks(model: &Model) -> TokenStream {
    let name = &model.record.ident;
    let rules = model.document_rules().enumerate();
    rules
        .map(|(at, rule)| {
            let at = Literal::usize_unsuffixed(at);
            check(&rule.tokens, "document_rule", quote!(::<#name>), quote!(#at))
        })
        .collect()
}

/// Writes the method that asks the derives of other crates; nothing for a model without such a word.
pub(super) fn expand_judges(model: &Model) -> Option<TokenStream> {
    let calls = [("of_garde", &model.judges.garde), ("of_validator", &model.judges.validator)];
    let calls = calls.into_iter().filter_map(|(name, word)| {
        let name = proc_macro2::Ident::new(name, word.as_ref()?.span());
        Some(quote!(failed.extend(__schema::#name(self));))
    });
    let mut calls = calls.peekable();
    calls.peek()?;
    Some(quote! {
        fn judged(&self) -> ::std::vec::Vec<__schema::FailedRule> {
            let mut failed = ::std::vec::Vec::new();
            #(#calls)*
            failed
        }
    })
}

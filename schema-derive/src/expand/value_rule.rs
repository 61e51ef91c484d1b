//! Writes the rules about the value of a field.

use proc_macro2::TokenStream;
use quote::quote;

use super::literal::{expand_literal, number};
use crate::model::{Check, CheckRule};

/// Writes a shape with the rules. `shape` is an expression of the shape without rules.
pub(super) fn expand_checked(shape: TokenStream, checks: &[Check]) -> TokenStream {
    if checks.is_empty() {
        return shape;
    }
    let of = |is_of_collection: bool| {
        let rules = checks.iter().filter(|check| check.rule.is_of_collection() == is_of_collection);
        let rules = rules.map(|check| expand_rule(&check.rule));
        quote!(&[#(#rules),*])
    };
    let (of_collection, of_values) = (of(true), of(false));
    quote! {
        __schema::Shape::checked(
            const { &#shape },
            #of_collection,
            #of_values,
            const { &__schema::Shape::checked_items(const { &#shape }, #of_values) },
        )
    }
}

/// Writes `ValueRule::Min(Literal::Integer(0))`.
fn expand_rule(rule: &CheckRule) -> TokenStream {
    let rule = match rule {
        CheckRule::Min(limit) => {
            let limit = expand_literal(limit);
            quote!(Min(#limit))
        }
        CheckRule::Max(limit) => {
            let limit = expand_literal(limit);
            quote!(Max(#limit))
        }
        CheckRule::MoreThan(limit) => {
            let limit = expand_literal(limit);
            quote!(MoreThan(#limit))
        }
        CheckRule::LessThan(limit) => {
            let limit = expand_literal(limit);
            quote!(LessThan(#limit))
        }
        CheckRule::MinLen(least) => {
            let least = number(*least);
            quote!(MinLen(#least))
        }
        CheckRule::NotEmpty => quote!(NotEmpty),
        CheckRule::MinItems(least) => {
            let least = number(*least);
            quote!(MinItems(#least))
        }
    };
    quote!(__schema::ValueRule::#rule)
}

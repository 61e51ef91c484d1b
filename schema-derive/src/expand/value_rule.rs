//! Writes the rules about the value of a field.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Path, Type};

use super::{
    check_call::check,
    literal::{expand_literal, expand_value, number},
    span::{local, over, placed, written},
};
use crate::{
    model::{Check, CheckRule, Field, FillValue},
    parse::{Constant, Pattern, inside_option},
};

/// Writes the shape of a type with the rules. `shape` is an expression of the shape without rules.
pub(super) fn expand_checked(ty: &Type, shape: TokenStream, checks: &[Check]) -> TokenStream {
    if checks.is_empty() {
        return shape;
    }
    let of = |is_of_collection: bool| {
        let rules = checks.iter().filter(|check| check.rule.is_of_collection() == is_of_collection);
        let rules = rules.map(|check| expand_rule(&check.rule, ty));
        quote!(const { &[#(#rules),*] })
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
fn expand_rule(rule: &CheckRule, ty: &Type) -> TokenStream {
    let with = |name: &str, limit: TokenStream| {
        let name = Ident::new(name, Span::call_site());
        quote!(#name(#limit))
    };
    let of_literal = |name: &str, limit: &Constant| with(name, expand_literal(limit));
    let of_number = |name: &str, least: u64| with(name, number(least).into_token_stream());
    let rule = match rule {
        CheckRule::Min(limit) => of_literal("Min", limit),
        CheckRule::Max(limit) => of_literal("Max", limit),
        CheckRule::MoreThan(limit) => of_literal("MoreThan", limit),
        CheckRule::LessThan(limit) => of_literal("LessThan", limit),
        CheckRule::MultipleOf(limit) => of_literal("MultipleOf", limit),
        CheckRule::MinLen(least) => of_number("MinLen", *least),
        CheckRule::NotEmpty => quote!(NotEmpty),
        CheckRule::Pattern(Pattern { text, least }) => {
            let least = number(*least);
            with("Pattern", quote!(#text, #least))
        }
        CheckRule::Email => quote!(Email),
        CheckRule::Url => quote!(Url),
        CheckRule::OneOf(values) => {
            let values = values.iter().map(expand_literal);
            with("OneOf", quote!(&[#(#values),*]))
        }
        CheckRule::MinItems(least) => of_number("MinItems", *least),
        CheckRule::UniqueItems => quote!(UniqueItems),
        CheckRule::With(function) => expand_judge(function, ty),
    };
    quote!(__schema::ValueRule::#rule)
}

/// Writes `With(Judge::new("is_code", module_path!(), |value| Judges::<String, _>::ask(&is_code, value)))`.
fn expand_judge(function: &Path, ty: &Type) -> TokenStream {
    let name = function.to_token_stream().to_string().replace(' ', "");
    // Null obeys every rule.
    let ty = inside_option(ty);
    let inner = written(ty);
    let judged = placed(ty, quote!(__schema::JudgedOf<#inner>));
    let (value, path) = (local(&Ident::new("value", Span::call_site()), function), written(function));
    let ask = over(function, quote!(__schema::Judges::<#judged, _>::ask(&#path, #value)));
    quote!(With(__schema::Judge::new(#name, ::core::module_path!(), |value| #ask)))
}

/// Writes the checks of the rules of a field. `at` is the position of the field.
pub(super) fn expand_rule_checks(name: &Ident, at: usize, checks: &[Check]) -> TokenStream {
    let at = Literal::usize_unsuffixed(at);
    expand_calls(checks, "field_rule", &quote!(::<#name>), &quote!(#at,))
}

/// Writes the check of a literal that a new document gives a field with rules.
pub(super) fn expand_default_check(name: &Ident, at: usize, field: &Field) -> Option<TokenStream> {
    let FillValue::Default(Some(value)) = &field.fill.as_ref()?.value else { return None };
    let literal = expand_value(&Constant::of(value)?);
    let at = Literal::usize_unsuffixed(at);
    (!field.checks.is_empty()).then(|| {
        check(value, "default_value", quote!(::<#name>), quote!(#at, ::schema_runtime::__private::Literal::#literal))
    })
}

/// Writes the checks of the rules of a newtype.
pub(super) fn expand_type_checks(name: &Ident, checks: &[Check]) -> TokenStream {
    let text = name.to_string();
    expand_calls(checks, "type_rule", &quote!(::<#name>), &quote!(#text,))
}

fn expand_calls(checks: &[Check], function: &str, generics: &TokenStream, first: &TokenStream) -> TokenStream {
    let mut counts = [0; 2];
    let call = |one: &Check| {
        let list = usize::from(!one.rule.is_of_collection());
        let number = Literal::usize_unsuffixed(counts[list]);
        counts[list] += 1;
        let list = Literal::usize_unsuffixed(list);
        check(&one.tokens, function, generics.clone(), quote!(#first #list, #number))
    };
    checks.iter().map(call).collect()
}

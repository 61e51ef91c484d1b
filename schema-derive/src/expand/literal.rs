//! Writes literals of the user.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::parse::Constant;

/// Writes `Literal::Integer(5)`, inside of the names of the generated code.
pub(super) fn expand_literal(value: &Constant) -> TokenStream {
    let value = expand_value(value);
    quote!(__schema::Literal::#value)
}

/// Writes `Integer(5)`.
pub(super) fn expand_value(value: &Constant) -> TokenStream {
    match value {
        Constant::Bool(value) => quote!(Bool(#value)),
        Constant::Integer(value) => quote!(Integer(#value)),
        Constant::Double(value) => quote!(Double(#value)),
        Constant::String(value) => quote!(String(#value)),
    }
}

/// Writes a number without a type suffix, as a person writes a number.
pub(super) fn number(value: u64) -> proc_macro2::Literal {
    proc_macro2::Literal::u64_unsuffixed(value)
}

/// Writes an `Option`.
pub(super) fn expand_option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

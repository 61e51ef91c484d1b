//! The order of the stages; the only file that knows it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Token, Type, parse::Parser, parse2, punctuated::Punctuated};

use crate::{errors::Errors, expand, lower, rules};

pub(crate) fn derive_model(input: TokenStream) -> TokenStream {
    stages(input, lower::lower_model, rules::enforce_model, expand::expand_model, expand::fallback_model)
}

pub(crate) fn derive_embed(input: TokenStream) -> TokenStream {
    stages(input, lower::lower_embed, rules::enforce_embed, expand::expand_embed, expand::fallback_embed)
}

pub(crate) fn derive_projection(input: TokenStream) -> TokenStream {
    stages(input, lower::lower_projection, |_, _| (), expand::expand_projection, expand::fallback_projection)
}

/// Reads, judges and writes one item. After a mistake the impls are written all the same, without the checks, so that one
/// mistake gives one message.
fn stages<T>(
    input: TokenStream,
    lower: fn(&DeriveInput, &Errors) -> Option<T>,
    enforce: fn(&T, &Errors),
    expand: fn(&T, bool) -> TokenStream,
    fallback: fn(&DeriveInput) -> TokenStream,
) -> TokenStream {
    let input: DeriveInput = match parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let errors = Errors::new();
    let Some(lowered) = lower(&input, &errors) else {
        let fallback = fallback(&input);
        let errors = errors.finish();
        return quote!(#errors #fallback);
    };
    enforce(&lowered, &errors);
    let whole = errors.is_empty();
    let code = expand(&lowered, whole);
    let errors = errors.finish();
    quote!(#errors #code)
}

pub(crate) fn schema(input: TokenStream) -> TokenStream {
    match Punctuated::<Type, Token![,]>::parse_terminated.parse2(input) {
        Ok(models) => expand::expand_schema(&models.into_iter().collect::<Vec<_>>()),
        Err(error) => error.into_compile_error(),
    }
}

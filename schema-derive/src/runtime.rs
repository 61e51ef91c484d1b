//! The path of the runtime crate in generated code: `::schema_runtime`, or the path in `crate = odm`.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Path,
    parse::{ParseStream, Parser},
};

use crate::{
    errors::Errors,
    parse::{Argument, Arguments},
};

/// The attributes that take `crate = odm`, a single attribute for each derive.
const OF_DERIVES: [&str; 6] = ["model", "embed", "projection", "patch", "aggregate", "facets"];

/// Writes the code of a derive inside a single macro of the runtime crate: when the crate is not found, rustc gives a
/// single message.
pub(crate) fn derive(input: TokenStream, derive: fn(TokenStream) -> TokenStream) -> TokenStream {
    let path = path_of(input.clone());
    let code = derive(input);
    match path {
        Some(path) => {
            let code = replace(code, &path);
            quote!(#path::__private::generated! { #code })
        }
        None => quote!(::schema_runtime::__private::generated! { #code }),
    }
}

/// Writes the code of `schema![runtime; A, B]`.
pub(crate) fn schema(input: TokenStream, expand: fn(TokenStream) -> TokenStream) -> TokenStream {
    let is_end = |token: &TokenTree| matches!(token, TokenTree::Punct(end) if end.as_char() == ';');
    let mut input = input.into_iter();
    let path: TokenStream = input.by_ref().take_while(|token| !is_end(token)).collect();
    replace(expand(input.collect()), &path)
}

/// Returns the path that an attribute of the item gives by `crate = odm`. The lowering of the attribute reports the
/// mistakes.
fn path_of(item: TokenStream) -> Option<Path> {
    let read = |input: ParseStream| {
        let attributes = Attribute::parse_outer(input);
        input.parse::<TokenStream>()?;
        attributes
    };
    let is_of_derive = |attribute: &&Attribute| OF_DERIVES.iter().any(|name| attribute.path().is_ident(name));
    let ignored = Errors::new();
    let attributes = read.parse2(item).unwrap_or_default();
    let path = attributes
        .iter()
        .filter(is_of_derive)
        .find_map(|attribute| Arguments::read(attribute, &ignored).get("crate").and_then(Argument::names).cloned());
    let _ = ignored.finish();
    path
}

/// Returns `code` with `runtime` in each place of `::schema_runtime`. The new tokens take the places of the old tokens.
fn replace(code: TokenStream, runtime: &impl ToTokens) -> TokenStream {
    let mut named: Vec<TokenTree> = Vec::new();
    for token in code {
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace(group.stream(), runtime));
                inner.set_span(group.span());
                named.push(TokenTree::Group(inner));
            }
            TokenTree::Ident(name) if name == "schema_runtime" && follows_separator(&named) => {
                let first = named.drain(named.len() - 2..).next().map_or_else(Span::call_site, |token| token.span());
                let tokens = runtime.to_token_stream().into_iter().enumerate();
                named.extend(tokens.map(|(at, token)| placed(token, if at == 0 { first } else { name.span() })));
            }
            token => named.push(token),
        }
    }
    named.into_iter().collect()
}

/// Returns whether the tokens end in `::`.
fn follows_separator(tokens: &[TokenTree]) -> bool {
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    matches!(tokens, [.., first, second] if is_colon(first) && is_colon(second))
}

fn placed(mut token: TokenTree, place: Span) -> TokenTree {
    token.set_span(token.span().located_at(place));
    token
}

//! The spans of generated code: the places that rustc points at when the code does not compile.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Returns `code` with the place of `user`. rustc underlines from the place of the first token to the place of the last
/// token. So the first token of `code` gets the place of the user's first token, and every further token gets the place
/// of the user's last token.
pub(super) fn over(user: &impl ToTokens, code: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = ungrouped(user.to_token_stream()).into_iter().collect();
    let first = tokens.first().map_or_else(Span::call_site, TokenTree::span);
    let last = tokens.last().map_or_else(Span::call_site, TokenTree::span);
    code.into_iter().enumerate().map(|(index, token)| at(token, if index == 0 { first } else { last })).collect()
}

/// Returns the user's tokens with the places kept inside [`over`]: rustc reports an unknown name there, once.
pub(super) fn written(user: &impl ToTokens) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::None, user.to_token_stream())).into()
}

/// Returns `code` with the place of `user` kept inside another [`over`]: rustc reports a mistake at a place once.
pub(super) fn placed(user: &impl ToTokens, code: TokenStream) -> TokenStream {
    written(&over(user, code))
}

/// Makes a local variable of the derive inside [`over`]. The variable has the place of `user`, and resolves at the
/// binding in the derive, also in a struct that a `macro_rules!` writes.
pub(super) fn local(name: &Ident, user: &impl ToTokens) -> TokenStream {
    let place = ungrouped(user.to_token_stream()).into_iter().last().map_or_else(Span::call_site, |token| token.span());
    let mut name = name.clone();
    name.set_span(Span::call_site().located_at(place));
    written(&name)
}

/// Makes `self` inside [`over`].
pub(super) fn this(user: &impl ToTokens) -> TokenStream {
    local(&Ident::new("self", Span::call_site()), user)
}

fn at(token: TokenTree, span: Span) -> TokenTree {
    let mut token = match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => return TokenTree::Group(group),
        // At the place of a `0` of the user, clippy would take a number of the derive for a number that begins with 0.
        TokenTree::Literal(literal) => return TokenTree::Literal(literal),
        TokenTree::Group(group) => {
            let inner = group.stream().into_iter().map(|token| at(token, span)).collect();
            TokenTree::Group(Group::new(group.delimiter(), inner))
        }
        other => other,
    };
    token.set_span(span);
    token
}

/// Removes the invisible group around a `macro_rules!` parameter.
fn ungrouped(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => ungrouped(group.stream()),
        _ => tokens,
    }
}

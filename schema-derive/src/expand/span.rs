//! Where rustc points when generated code does not compile.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// `code` with the place of `user`: rustc underlines from the first token's place to the last one's, so the first token gets
/// that of the user's first and every other that of the user's last.
pub(super) fn over(user: &impl ToTokens, code: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = ungrouped(user.to_token_stream()).into_iter().collect();
    let first = tokens.first().map_or_else(Span::call_site, TokenTree::span);
    let last = tokens.last().map_or_else(Span::call_site, TokenTree::span);
    code.into_iter().enumerate().map(|(index, token)| at(token, if index == 0 { first } else { last })).collect()
}

/// What the user wrote, which keeps its own place inside [`over`]: a name that is not found is reported there, once.
pub(super) fn written(user: &impl ToTokens) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::None, user.to_token_stream())).into()
}

/// The same, which keeps that place inside another [`over`]: rustc tells one mistake at one place once.
pub(super) fn placed(user: &impl ToTokens, code: TokenStream) -> TokenStream {
    written(&over(user, code))
}

/// A local of the derive's inside [`over`]: it has the place of `user` and is found where the derive binds it, also in a struct that
/// a `macro_rules!` writes.
pub(super) fn local(name: &Ident, user: &impl ToTokens) -> TokenStream {
    let place = ungrouped(user.to_token_stream()).into_iter().last().map_or_else(Span::call_site, |token| token.span());
    let mut name = name.clone();
    name.set_span(Span::call_site().located_at(place));
    written(&name)
}

/// `self` inside [`over`].
pub(super) fn this(user: &impl ToTokens) -> TokenStream {
    local(&Ident::new("self", Span::call_site()), user)
}

fn at(token: TokenTree, span: Span) -> TokenTree {
    let mut token = match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => return TokenTree::Group(group),
        TokenTree::Group(group) => {
            let inner = group.stream().into_iter().map(|token| at(token, span)).collect();
            TokenTree::Group(Group::new(group.delimiter(), inner))
        }
        other => other,
    };
    token.set_span(span);
    token
}

/// Without the invisible group that a `macro_rules!` parameter comes in.
fn ungrouped(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => ungrouped(group.stream()),
        _ => tokens,
    }
}

//! Collects the mistakes of an item, so that the derive reports all mistakes at once.

use std::cell::RefCell;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far. Panics when dropped unread, since unread mistakes are a bug.
pub(crate) struct Errors {
    found: RefCell<Option<Vec<syn::Error>>>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Errors { found: RefCell::new(Some(Vec::new())) }
    }

    /// Adds a mistake at tokens of the user.
    pub(crate) fn at(&self, tokens: impl ToTokens, message: impl ToString) {
        self.push(syn::Error::new_spanned(ungrouped(tokens.into_token_stream()), message.to_string()));
    }

    /// Adds a mistake at a span of the user.
    pub(crate) fn at_span(&self, span: Span, message: impl ToString) {
        self.push(syn::Error::new(span, message.to_string()));
    }

    /// Adds the message of a broken rule: the mistake and the reason, then the help, then the id of the rule.
    pub(crate) fn rule(&self, tokens: impl ToTokens, id: &str, what: &str, help: &str) {
        self.at(tokens, format!("{what}\nhelp: {help}\nrule: {id} (guide/pages/rules/{id}.md)"));
    }

    pub(crate) fn push(&self, error: syn::Error) {
        self.found.borrow_mut().get_or_insert_default().push(error);
    }

    /// Returns the first mistake so far; `None` when there is no mistake.
    pub(crate) fn first(&self) -> Option<syn::Error> {
        self.found.borrow().as_ref()?.first().cloned()
    }

    /// Returns the number of mistakes so far.
    pub(crate) fn count(&self) -> usize {
        self.found.borrow().as_ref().map_or(0, Vec::len)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.borrow().as_ref().is_none_or(Vec::is_empty)
    }

    /// Returns the mistakes as `compile_error!`s; no tokens when there are no mistakes.
    pub(crate) fn finish(self) -> TokenStream {
        let found = self.found.borrow_mut().take().unwrap_or_default();
        found.into_iter().map(syn::Error::into_compile_error).collect()
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        if self.found.borrow().is_some() && !std::thread::panicking() {
            panic!("the mistakes of an item were dropped unread");
        }
    }
}

/// Removes the invisible group around a `macro_rules!` parameter: the span of the group belongs to the macro, the span
/// of the content to the user.
fn ungrouped(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(proc_macro2::TokenTree::Group(group)), None) if group.delimiter() == proc_macro2::Delimiter::None => {
            ungrouped(group.stream())
        }
        _ => tokens,
    }
}

//! Collects every mistake of one item, so that all are reported at once.

use std::cell::RefCell;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far. Dropping it unread is a bug and panics.
pub(crate) struct Errors {
    found: RefCell<Option<Vec<syn::Error>>>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Errors { found: RefCell::new(Some(Vec::new())) }
    }

    /// A mistake at some tokens of the user's.
    pub(crate) fn at(&self, tokens: impl ToTokens, message: impl ToString) {
        self.push(syn::Error::new_spanned(ungrouped(tokens.into_token_stream()), message.to_string()));
    }

    /// A mistake at a span of the user's.
    pub(crate) fn at_span(&self, span: Span, message: impl ToString) {
        self.push(syn::Error::new(span, message.to_string()));
    }

    /// A broken rule: what is wrong and why, then what to write, then the rule's id.
    pub(crate) fn rule(&self, tokens: impl ToTokens, id: &str, what: &str, help: &str) {
        self.at(tokens, format!("{what}\nhelp: {help}\nrule: {id}"));
    }

    pub(crate) fn push(&self, error: syn::Error) {
        self.found.borrow_mut().get_or_insert_default().push(error);
    }

    /// The first so far.
    pub(crate) fn first(&self) -> Option<syn::Error> {
        self.found.borrow().as_ref()?.first().cloned()
    }

    /// How many there are so far.
    pub(crate) fn count(&self) -> usize {
        self.found.borrow().as_ref().map_or(0, Vec::len)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.borrow().as_ref().is_none_or(Vec::is_empty)
    }

    /// The mistakes as `compile_error!`s; no tokens when there are none.
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

/// Without the invisible group that a `macro_rules!` parameter comes in: its span is the macro's, its content's the user's.
fn ungrouped(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(proc_macro2::TokenTree::Group(group)), None) if group.delimiter() == proc_macro2::Delimiter::None => {
            ungrouped(group.stream())
        }
        _ => tokens,
    }
}

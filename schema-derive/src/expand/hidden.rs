//! The method that names the hidden fields of a value that were not loaded.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::span::{over, this, written};
use crate::model::{Model, Record};

/// Writes the method of a model with hidden fields; nothing for every other model.
pub(super) fn expand_unloaded(model: &Model) -> Option<TokenStream> {
    let fields = model.record.fields.iter().filter_map(|field| {
        let (ident, name, ty) = (&field.ident, &field.name, written(&field.ty));
        let user = field.hidden.as_ref()?.written.as_ref()?;
        let value = this(user);
        let is_loaded = over(user, quote!(__schema::Hidden::<#ty>::is_loaded(&#value.#ident)));
        Some(quote!((#name, #is_loaded)))
    });
    let mut fields = fields.peekable();
    fields.peek()?;
    Some(quote! {
        fn unloaded(&self) -> ::std::vec::Vec<&'static str> {
            __schema::unloaded(&[#(#fields),*])
        }
    })
}

/// Returns the fields that a value keeps when the stored document is read again: the fields that serde skips, and the
/// hidden fields.
pub(super) fn kept(record: &Record) -> Vec<&Ident> {
    let hidden = record.fields.iter().filter(|field| field.hidden.is_some()).map(|field| &field.ident);
    record.skipped.iter().chain(hidden).collect()
}

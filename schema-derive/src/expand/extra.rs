//! Writes what happens to the fields of stored documents that the struct does not have.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::{
    model::{Extra, Model, UnknownFields},
    parse::identifier,
};

/// The most bytes of a document: the bound of `#[extra]` without a bound. Source: MongoDB, "BSON document size".
const DOCUMENT_BYTES: u64 = 16 * 1024 * 1024;

/// Writes the effect of the unknown fields, and the methods that read and write the fields; nothing for a model that
/// drops the fields.
pub(super) fn expand_extra(model: &Model) -> Option<TokenStream> {
    match (model.unknown_fields(), model.record.extra.first()) {
        (UnknownFields::Refuse, _) => Some(quote!(
            const EXTRA: __schema::ExtraFields = __schema::ExtraFields::Refuse;
        )),
        (UnknownFields::Keep, Some(extra)) => Some(expand_kept(extra)),
        (UnknownFields::Keep | UnknownFields::Drop, _) => None,
    }
}

fn expand_kept(extra: &Extra) -> TokenStream {
    let (ident, ty) = (&extra.ident, &extra.ty);
    let name = identifier(ident);
    let max_bytes = extra.max_bytes.as_ref().map_or(DOCUMENT_BYTES, |most| most.value);
    // The span is the user's type, so that rustc reports a wrong type there.
    let holder = quote_spanned!(ty.span()=> <#ty as __schema::ExtraHolder>);
    quote! {
        const EXTRA: __schema::ExtraFields = __schema::ExtraFields::Keep { field: #name, max_bytes: #max_bytes };
        fn extra(&self) -> __schema::Document {
            #holder::to_document(&self.#ident)
        }
        fn set_extra(&mut self, extra: __schema::Document) {
            self.#ident = #holder::of_document(extra);
        }
    }
}

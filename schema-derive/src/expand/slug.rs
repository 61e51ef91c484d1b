//! Writes the method that finds a document by a slug.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::span::{over, written};
use crate::model::Model;

/// Writes `Product::by_slug("left-handed-smoke-shifter")` for each slug.
pub(super) fn expand_slug_methods(model: &Model) -> Option<TokenStream> {
    let mut methods = model
        .record
        .fields
        .iter()
        .filter(|field| field.slug.is_some() && model.brings(&field.ident, &format!("by_{}", field.rust_name)))
        .map(|field| {
            let (ident, method, visibility) = (&field.ident, format_ident!("by_{}", field.ident), &field.visibility);
            let ty = written(&field.ty);
            let (name, kept) = (&field.name, field.slug.as_ref().and_then(|slug| slug.kept(&field.name)));
            let (kept, time) = match kept {
                Some(kept) => (quote!(::core::option::Option::Some(#kept)), ", now or earlier"),
                None => (quote!(::core::option::Option::None), ""),
            };
            let filter = quote!(__schema::slug_filter::<Self, #ty>(#name, #ident, #kept));
            let text = format!("The document with this `{}`{time}.", field.rust_name);
            over(
                &field.ty,
                quote! {
                    #[doc = #text]
                    #[allow(dead_code, unreachable_pub)]
                    #visibility fn #method(#ident: impl __schema::IntoValue<#ty>) -> __schema::Find<Self> {
                        <Self as __schema::Operations>::find(#filter).limit(1)
                    }
                },
            )
        })
        .peekable();
    methods.peek()?;
    let name = &model.record.ident;
    Some(quote!(impl #name { #(#methods)* }))
}

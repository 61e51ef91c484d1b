//! Writes the constants and accessors of relations: `Product::PARTS`, `product.parts()`, `host.logmsgs()`.

use std::collections::BTreeSet;

use heck::ToShoutySnakeCase;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::Visibility;

use super::{
    definition::target_of,
    span::{local, over, placed, this, written},
};
use crate::{
    model::{Field, Inverse, Model, Storage},
    parse::{identifier, referred},
};

/// `impl Product { const PARTS: ..; fn parts(&self) -> ..; }`
pub(super) fn expand_handles(model: &Model) -> TokenStream {
    let name = &model.record.ident;
    let (generics, type_generics, where_clause) = model.record.generics.split_for_impl();
    // A rule reports two relations that would have the same name; only the first relation is written.
    let mut constants = BTreeSet::new();
    let mut is_first = move |ident: &Ident| constants.insert(constant(ident).to_string());
    let fields = model.record.fields.iter().filter(|field| field.relation().is_some());
    let stored: Vec<_> =
        fields.filter(|field| is_first(&field.ident)).map(|field| expand_stored(model, field)).collect();
    let inverses = model.inverses.iter().filter(|inverse| is_first(&inverse.accessor)).map(expand_inverse);
    if model.inverses.is_empty() && model.record.fields.iter().all(|field| field.relation().is_none()) {
        return TokenStream::new();
    }
    quote! {
        #[allow(dead_code, private_bounds, private_interfaces)]
        impl #generics #name #type_generics #where_clause {
            #(#stored)*
            #(#inverses)*
        }
    }
}

fn constant(ident: &Ident) -> Ident {
    Ident::new(&identifier(ident).to_shouty_snake_case(), ident.span())
}

fn expand_stored(model: &Model, field: &Field) -> TokenStream {
    let Some(relation) = field.relation() else { return TokenStream::new() };
    let (ident, ty, visibility, text) = (&field.ident, &field.ty, &field.visibility, &field.rust_name);
    let constant = constant(ident);
    // Everything that names the far side has the span of the user's type, so that rustc reports a mistake once, at the
    // type.
    let (this, parent) = (this(ty), local(&format_ident!("parent"), ty));
    // A call by a path has the message of the type; a method call has a separate message.
    let handle = match relation.is_array() {
        true => quote!(__ChildRefs),
        false => quote!(__ParentRef),
    };
    let far = over(ty, quote!({ #handle::of(Self::#constant, #this) }));
    let near = match relation.cardinality.is_many() {
        true => over(ty, quote!({ __ParentRef::children_by(Self::#constant, __IntoId::into_id_value(#parent)) })),
        false => over(ty, quote!({ __Child::new(#text).by(__IntoId::into_id_value(#parent)) })),
    };
    let visit_each = placed(ty, quote!(__References::each));
    let held = placed(ty, quote!(&holder.#ident));
    let each = over(ty, quote!(|holder, visit| #visit_each(#held, visit)));
    // The span of a function reaches from `fn` to the end.
    let function = over(ty, quote!(fn));
    // Only a public item or an item with a restricted visibility has a documentation text.
    let documented = |text: String| (!matches!(visibility, Visibility::Inherited)).then(|| quote!(#[doc = #text]));
    let doc = documented(format!("The relation that `{text}` stores."));
    match relation.storage {
        Storage::Embed if !relation.is_array() => TokenStream::new(),
        Storage::Embed => {
            let doc = documented(format!(
                "The embedded `{text}`, to read a part of the elements, and to find elements in all documents."
            ));
            quote! {
                #doc
                #visibility const #constant: __Embedded<Self, #ty> = __Embedded::new(#text);
            }
        }
        Storage::ChildRefs | Storage::OneWay | Storage::TwoWay if relation.is_array() => {
            let target = target_of(ty);
            let handle = placed(ty, quote!(__ChildRefs<Self, #target>));
            let made = placed(ty, quote!(__ChildRefs::new(#text, #each)));
            let stored = over(ty, quote!(#visibility const #constant: #handle = #made;));
            let handle_of = over(ty, quote!(__ChildRefsOf<'_, Self, #target>));
            let accessor_doc = documented(format!("The documents that `{text}` refers to."));
            quote! {
                #doc
                #stored
                #accessor_doc
                #visibility #function #ident(&self) -> #handle_of #far
            }
        }
        Storage::ChildRefs | Storage::OneWay | Storage::TwoWay | Storage::ParentRef => {
            let target = target_of(ty);
            // The first key of the order decides whether `latest` compiles; the default is newest first.
            let is_ascending = relation.order.first().is_some_and(|key| !key.descending);
            let order = is_ascending.then(|| quote!(, false));
            let handle = match &order {
                Some(order) => placed(ty, quote!(__ParentRef<Self, #target, #target #order>)),
                None => placed(ty, quote!(__ParentRef<Self, #target>)),
            };
            let made = placed(ty, quote!(__ParentRef::new(#text, #each)));
            let stored = over(ty, quote!(#visibility const #constant: #handle = #made;));
            let handle_of = over(ty, quote!(__ParentRefOf<'_, Self, #target>));
            let (far_handle, of_doc) = match relation.cardinality.is_many() {
                true => (
                    quote!(__ChildrenOf),
                    format!(
                        "The documents that refer to `parent` by `{text}`. `parent` is a document, an `_id` or a `Ref`."
                    ),
                ),
                false => (
                    quote!(__ChildOf),
                    format!(
                        "The document that refers to `parent` by `{text}`. `parent` is a document, an `_id` or a `Ref`."
                    ),
                ),
            };
            let children_of = match order.filter(|_| relation.cardinality.is_many()) {
                Some(order) => over(ty, quote!(#far_handle<#target, Self, Self #order>)),
                None => over(ty, quote!(#far_handle<#target, Self>)),
            };
            // For a type that refers to no model, the message of the type is the only message.
            let named = referred(ty).map_or_else(|| target.clone(), written);
            let parent = placed(ty, quote!(impl __IntoId<#named, __K>));
            let of = format_ident!("of_{}", identifier(ident), span = ident.span());
            let accessor_doc = documented(format!("The document that `{text}` refers to."));
            let of_doc = documented(of_doc);
            let near = model.brings(&field.ident, &of.to_string()).then(|| {
                quote! {
                    #of_doc
                    #visibility #function #of<__K>(parent: #parent) -> #children_of #near
                }
            });
            quote! {
                #doc
                #stored
                #accessor_doc
                #visibility #function #ident(&self) -> #handle_of #far
                #near
            }
        }
    }
}

fn expand_inverse(inverse: &Inverse) -> TokenStream {
    let (accessor, child, field) = (&inverse.accessor, &inverse.child, identifier(&inverse.field));
    let constant = constant(accessor);
    let doc = format!("The relation that `{field}` stores on the far side.");
    let (handle, handle_of, what) = match inverse.is_one {
        true => (quote!(__Child), quote!(__ChildOf), "The document that refers"),
        false => (quote!(__Children), quote!(__ChildrenOf), "The documents that refer"),
    };
    let accessor_doc = format!("{what} to this document by `{field}`.");
    // The child declares the order, which decides whether `latest` compiles.
    let order =
        (!inverse.is_one).then(|| over(child, quote!(, #child, { __schema::is_newest_first::<#child>(#field) })));
    quote! {
        #[doc = #doc]
        pub const #constant: #handle<Self, #child #order> = #handle::new(#field);
        #[doc = #accessor_doc]
        pub fn #accessor(&self) -> #handle_of<Self, #child #order> {
            Self::#constant.of_document(self)
        }
    }
}

//! The impls after a mistake that leaves no model. With the impls, rustc does not report the mistake again at every
//! use.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Generics, TypeParamBound, parse_quote};

use super::Mistake;
use crate::{
    model::Lost,
    parse::{SerdeRefusal, borrows, marked},
};

/// Returns the generics of an item for an impl. Each type parameter has the bounds of a stored type.
fn stored_generics(input: &DeriveInput) -> Generics {
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.default = None;
        parameter.bounds.extend::<[TypeParamBound; 5]>([
            parse_quote!(__schema::serde::Serialize),
            parse_quote!(__schema::serde::de::DeserializeOwned),
            parse_quote!(::core::marker::Send),
            parse_quote!(::core::marker::Sync),
            parse_quote!('static),
        ]);
    }
    generics
}

/// Writes the item as a stored type, with `code` beside the impl of the fields.
fn expand_stored(
    input: &DeriveInput,
    mistake: &Mistake,
    code: impl FnOnce(TokenStream, TokenStream) -> TokenStream,
) -> TokenStream {
    if input.generics.lifetimes().next().is_some() {
        return TokenStream::new();
    }
    let (name, text) = (&input.ident, input.ident.to_string());
    let generics = stored_generics(input);
    let (generics, type_generics, where_clause) = generics.split_for_impl();
    let alias = mistake.alias();
    let code = code(quote!(impl #generics), quote!(for #name #type_generics #where_clause));
    quote! {
        const _: () = {
            use ::schema_runtime::__private as __schema;
            #alias
            impl #generics __schema::Record for #name #type_generics #where_clause {
                const STRUCT: &'static str = #text;
                const FIELDS: &'static [__schema::FieldDefinition] = &[];
            }
            #code
        };
    }
}

/// Writes the item as the type of a field.
fn expand_field(of: &TokenStream, name: &TokenStream) -> TokenStream {
    quote! {
        #of __schema::Described #name {
            const SHAPE: __schema::Shape = __schema::Shape::opaque(0).not_whole();
            type Class = __Mistake;
            type Nested<__M: 'static, __P: __schema::Path, __K: 'static> = __Mistake;
        }
    }
}

pub(crate) fn fallback_model(input: &DeriveInput, mistake: &Mistake, lost: &[Lost]) -> TokenStream {
    // An item with `#[projection(..)]` may also derive `Projection`, and the `Projection` derive writes the same impls.
    let is_other = marked(input, "projection").is_some() && marked(input, "model").is_none();
    if is_other || borrows(input) {
        return TokenStream::new();
    }
    let text = input.ident.to_string();
    expand_stored(input, mistake, |of, name| {
        let field = expand_field(&of, &name);
        let lost = mistake.expand_lost(&input.ident, &stored_generics(input), lost.iter(), BTreeSet::new());
        quote! {
            #field
            #of __schema::Model #name {
                type Id = __Mistake;
                type Fields = __Mistake;
                const F: __Mistake = ::core::unreachable!();
                const NAME: &'static str = ::core::concat!(::core::module_path!(), "::", #text);
                const RELATIONS: &'static [__schema::RelationDefinition] = &[];
                const INVERSES: &'static [__schema::InverseDefinition] = &[];
                const DEFINITION: &'static __schema::ModelDefinition = &__schema::ModelDefinition::broken(#text);
                fn id(&self) -> &Self::Id {
                    ::core::unreachable!()
                }
            }
            #of __schema::HasOwnDocument #name {}
            #of __schema::InsertsDocuments #name {}
            #of __schema::UpdatesDocuments #name {}
            #lost
        }
    })
}

pub(crate) fn fallback_embed(input: &DeriveInput, mistake: &Mistake, _: &[Lost]) -> TokenStream {
    if marked(input, "model").or(marked(input, "projection")).is_some() {
        return TokenStream::new();
    }
    expand_stored(input, mistake, |of, name| {
        let field = expand_field(&of, &name);
        quote! {
            #field
            #of __schema::Embed #name {}
        }
    })
}

pub(crate) fn fallback_projection(input: &DeriveInput, mistake: &Mistake, _: &[Lost]) -> TokenStream {
    if marked(input, "model").is_some() {
        return TokenStream::new();
    }
    expand_stored(input, mistake, |of, name| {
        quote! {
            #of __schema::Projection #name {
                type Of = __Mistake;
            }
        }
    })
}

/// Writes the impls of serde that serde's derives leave out after a mistake.
pub(crate) fn expand_refused(input: &DeriveInput, refusal: &SerdeRefusal) -> TokenStream {
    let name = &input.ident;
    let (generics, type_generics, where_clause) = input.generics.split_for_impl();
    let serialize = refusal.serialize.as_ref().map(|_| {
        quote! {
            impl #generics ::schema_runtime::__private::serde::Serialize for #name #type_generics #where_clause {
                fn serialize<__S: ::schema_runtime::__private::serde::Serializer>(
                    &self,
                    _: __S,
                ) -> ::core::result::Result<__S::Ok, __S::Error> {
                    ::core::unreachable!()
                }
            }
        }
    });
    let deserialize = refusal.deserialize.as_ref().map(|_| {
        let mut generics = input.generics.clone();
        generics.params.insert(0, parse_quote!('__de));
        let (generics, ..) = generics.split_for_impl();
        quote! {
            impl #generics ::schema_runtime::__private::serde::Deserialize<'__de> for #name #type_generics #where_clause {
                fn deserialize<__D: ::schema_runtime::__private::serde::Deserializer<'__de>>(
                    _: __D,
                ) -> ::core::result::Result<Self, __D::Error> {
                    ::core::unreachable!()
                }
            }
        }
    });
    quote!(#serialize #deserialize)
}

//! The impls written beside a mistake that left no model: they keep rustc from saying the same thing again at every use.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_quote};

use crate::parse::{SerdeRefusal, borrows, marked};

fn expand_record(input: &DeriveInput) -> TokenStream {
    let name = &input.ident;
    let text = name.to_string();
    let (generics, type_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        impl #generics ::schema_runtime::__private::Record for #name #type_generics #where_clause {
            const STRUCT: &'static str = #text;
            const FIELDS: &'static [::schema_runtime::__private::FieldDefinition] = &[];
        }
    }
}

fn expand_field(input: &DeriveInput) -> TokenStream {
    let name = &input.ident;
    let (generics, type_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        impl #generics ::schema_runtime::__private::Field for #name #type_generics #where_clause {
            const SHAPE: ::schema_runtime::__private::Shape =
                ::schema_runtime::__private::Shape::opaque(0).not_whole();
            type Class = ::schema_runtime::__private::class::Opaque;
            type Nested<__M: 'static, __P: ::schema_runtime::__private::Path, __K: 'static> =
                ::schema_runtime::__private::NoFields;
        }
    }
}

pub(crate) fn fallback_model(input: &DeriveInput) -> TokenStream {
    let is_other = marked(input, "projection").is_some() && marked(input, "model").is_none();
    if is_other || borrows(input) {
        return TokenStream::new();
    }
    let name = &input.ident;
    let text = name.to_string();
    let (generics, type_generics, where_clause) = input.generics.split_for_impl();
    let (record, field) = (expand_record(input), expand_field(input));
    quote! {
        #record
        #field
        impl #generics ::schema_runtime::__private::Model for #name #type_generics #where_clause {
            type Id = ::schema_runtime::__private::ObjectId;
            type Fields = ();
            const F: () = ();
            const NAME: &'static str = concat!(module_path!(), "::", #text);
            const RELATIONS: &'static [::schema_runtime::__private::RelationDefinition] = &[];
            const INVERSES: &'static [::schema_runtime::__private::InverseDefinition] = &[];
            const DEFINITION: &'static ::schema_runtime::__private::ModelDefinition =
                &::schema_runtime::__private::ModelDefinition::broken(#text);
            fn id(&self) -> &Self::Id {
                unreachable!()
            }
        }
        impl #generics ::schema_runtime::__private::OwnDocument for #name #type_generics #where_clause {}
        impl #generics ::schema_runtime::__private::Insertable for #name #type_generics #where_clause {}
        impl #generics ::schema_runtime::__private::Updatable for #name #type_generics #where_clause {}
    }
}

pub(crate) fn fallback_embed(input: &DeriveInput) -> TokenStream {
    let is_enum = matches!(input.data, syn::Data::Enum(_));
    // The derive that is named so may stand beside this one, and writes the same impls.
    let is_other = marked(input, "model").or(marked(input, "projection")).is_some();
    if is_other || input.generics.lifetimes().next().is_some() || is_enum && !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let name = &input.ident;
    let (generics, type_generics, where_clause) = input.generics.split_for_impl();
    let (record, field) = (expand_record(input), expand_field(input));
    quote! {
        #record
        #field
        impl #generics ::schema_runtime::__private::Embed for #name #type_generics #where_clause {}
    }
}

pub(crate) fn fallback_projection(input: &DeriveInput) -> TokenStream {
    if marked(input, "model").is_some() || input.generics.lifetimes().next().is_some() {
        return TokenStream::new();
    }
    expand_record(input)
}

/// The impls of serde's that its derives leave out after a mistake.
pub(crate) fn expand_refused(input: &DeriveInput, refusal: &SerdeRefusal) -> TokenStream {
    let name = &input.ident;
    let (generics, type_generics, where_clause) = input.generics.split_for_impl();
    let serialize = refusal.serialize.then(|| {
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
    let deserialize = refusal.deserialize.then(|| {
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

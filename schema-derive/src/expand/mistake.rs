//! Placeholders in generated code for a type or a value that a mistake leaves unknown.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Ident};

use crate::{
    model::{Lost, LostForm},
    parse::identifier,
};

/// The first mistake of an item. rustc reports nothing about the uses of a type that is made of a reported mistake.
pub(crate) struct Mistake(TokenStream);

impl Mistake {
    pub(crate) fn new(error: syn::Error) -> Mistake {
        Mistake(error.into_compile_error())
    }

    /// Writes the type `__Mistake`: a constant with the same message. rustc reports the message once, and makes no type
    /// of the constant.
    pub(super) fn alias(&self) -> TokenStream {
        let mistake = &self.0;
        quote! {
            type __Mistake = <::schema_runtime::__private::Mistake<{ #mistake }> as ::schema_runtime::__private::Unknown>::Type;
        }
    }

    /// Writes a value of any type.
    pub(super) fn value(&self) -> TokenStream {
        let mistake = &self.0;
        quote!({ #mistake })
    }

    /// Writes the names that attributes with a mistake would bring, except the names in `taken`.
    pub(super) fn expand_lost<'a>(
        &self,
        name: &Ident,
        generics: &Generics,
        lost: impl Iterator<Item = &'a Lost>,
        mut taken: BTreeSet<String>,
    ) -> TokenStream {
        let (generics, type_generics, where_clause) = generics.split_for_impl();
        let value = self.value();
        let lost = lost.filter(|lost| taken.insert(identifier(&lost.name))).map(|Lost { name, form }| match form {
            LostForm::OfType => quote!(pub const #name: __Mistake = #value;),
            LostForm::OfValue(arguments) => {
                let arguments = (0..*arguments).map(|_| quote!(_: impl ::core::marker::Sized));
                quote!(pub fn #name(&self, #(#arguments),*) -> __Mistake #value)
            }
        });
        quote! {
            #[allow(dead_code, non_upper_case_globals, unreachable_pub)]
            impl #generics #name #type_generics #where_clause {
                #(#lost)*
            }
        }
    }
}

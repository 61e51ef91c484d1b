//! The struct of field tokens: `Person::F` has the type that is written here.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::GenericParam;

use super::{bounded_generics, span::over};
use crate::model::{Record, Storage};

pub(super) fn fields_ident(record: &Record) -> Ident {
    format_ident!("{}Fields", record.ident)
}

/// `struct PersonFields<M, P> { name: FieldToken<M, String, Segment<P, Person, 1>>, .. }`, and how to make one.
///
/// Only a field with `#[relation(.., embed)]` names its type's own tokens: if every field did, one type that may not be
/// stored would give an error in each.
pub(super) fn expand_fields_struct(record: &Record) -> TokenStream {
    let (name, fields_name, visibility) = (&record.ident, fields_ident(record), &record.visibility);
    let generics = bounded_generics(record);
    let parameters: Vec<&GenericParam> = generics.params.iter().collect();
    let names: Vec<TokenStream> = generics.params.iter().map(name_of).collect();
    let plain: Vec<TokenStream> = generics.params.iter().map(declaration_of).collect();
    let owner = if names.is_empty() { quote!(#name) } else { quote!(#name <#(#names),*>) };
    let tokens = record.fields.iter().enumerate().map(|(index, field)| {
        let (ident, ty, visibility) = (&field.ident, &field.ty, &field.visibility);
        let index = proc_macro2::Literal::usize_unsuffixed(index);
        let segment = quote!(__At<P, #(#names,)* #index>);
        let is_embedded = field.relation().is_some_and(|relation| relation.storage == Storage::Embed);
        if is_embedded {
            let nested = over(ty, quote!(<#ty as __Field>::Nested<M, #segment>));
            quote!(#visibility #ident: #nested)
        } else {
            quote!(#visibility #ident: __Token<M, #ty, #segment>)
        }
    });
    let conditions = &generics.where_clause;
    let types = generics.type_params().map(|parameter| &parameter.ident);
    let idents = record.fields.iter().map(|field| &field.ident);
    quote! {
        type __At<P, #(#plain,)* const INDEX: usize> = __schema::Segment<P, #owner, INDEX>;
        #[doc(hidden)]
        #[allow(dead_code, private_bounds, private_interfaces, unreachable_pub)]
        #visibility struct #fields_name<M, P: __schema::Path, #(#parameters),*> #conditions {
            #(#tokens,)*
            __schema: __schema::Marker<(M, P, #(#types),*)>,
        }
        impl<M, P: __schema::Path, #(#parameters),*> __schema::Token for #fields_name<M, P, #(#names),*> #conditions {
            const NEW: Self = #fields_name { #(#idents: __schema::Token::NEW,)* __schema: ::core::marker::PhantomData };
        }
    }
}

/// A parameter without its bounds, as a type alias takes it.
fn declaration_of(parameter: &GenericParam) -> TokenStream {
    match parameter {
        GenericParam::Const(parameter) => {
            let (ident, ty) = (&parameter.ident, &parameter.ty);
            quote!(const #ident: #ty)
        }
        other => name_of(other),
    }
}

pub(super) fn name_of(parameter: &GenericParam) -> TokenStream {
    match parameter {
        GenericParam::Type(parameter) => {
            let ident = &parameter.ident;
            quote!(#ident)
        }
        GenericParam::Const(parameter) => {
            let ident = &parameter.ident;
            quote!(#ident)
        }
        GenericParam::Lifetime(parameter) => {
            let lifetime = &parameter.lifetime;
            quote!(#lifetime)
        }
    }
}

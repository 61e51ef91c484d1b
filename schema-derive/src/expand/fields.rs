//! Writes the struct of field tokens, the type of `Person::F`.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use syn::GenericParam;

use super::{
    bounded_generics,
    span::{over, written},
};
use crate::model::{CopyMode, Field, History, Model, Record, Relation, Stored, StoredAs};

pub(super) fn fields_ident(record: &Record) -> Ident {
    // A name that no type of the user has.
    format_ident!("__{}Fields", record.ident)
}

/// Writes `struct PersonFields<M, P, K> { name: FieldToken<M, String, Segment<P, Person, 1>, K>, .. }`, and the code
/// that makes the struct: the fields of a `Person` at the path `P`. `K` says who may change the fields.
///
/// The code does not look inside the type of a field: a type that may not be stored would give an error here too.
pub(super) fn expand_fields_struct(record: &Record, model: Option<&Model>) -> TokenStream {
    let (at, fields_name, within) = (&format_ident!("__At"), fields_ident(record), quote!(__P));
    expand_tokens(record, model, &Tokens { at, fields_name, within, is_model: model.is_some() })
}

/// The parts that differ between structs of tokens.
pub(super) struct Tokens<'a> {
    /// The alias of the paths of the fields.
    pub(super) at: &'a Ident,
    pub(super) fields_name: Ident,
    /// The path that holds the fields.
    pub(super) within: TokenStream,
    /// True for the fields of a document, false for the fields of an embedded type.
    pub(super) is_model: bool,
}

/// Writes the struct of tokens of the given fields.
pub(super) fn expand_tokens(record: &Record, model: Option<&Model>, of: &Tokens<'_>) -> TokenStream {
    let Tokens { at, fields_name, within, is_model } = of;
    let (name, visibility) = (&record.ident, &record.visibility);
    let generics = bounded_generics(record);
    let parameters: Vec<&GenericParam> = generics.params.iter().collect();
    let names: Vec<TokenStream> = generics.params.iter().map(name_of).collect();
    let plain: Vec<TokenStream> = generics.params.iter().map(declaration_of).collect();
    let owner = if names.is_empty() { quote!(#name) } else { quote!(#name <#(#names),*>) };
    let tokens = record.fields.iter().enumerate().map(|(index, field)| {
        let (ident, ty, visibility) = (&field.ident, &field.ty, &field.visibility);
        let index = Literal::usize_unsuffixed(index);
        let access = match &field.storage {
            _ if *is_model && field.name == "_id" => quote!(__schema::IdField),
            Stored::History(History { interval: Some(_), .. }) => quote!(__schema::RecordedIntervals),
            Stored::History(_) => quote!(__schema::Recorded),
            _ if field.rollup.is_some() => quote!(__schema::RolledUp),
            _ if field.relation().is_some_and(Relation::is_mirror) => quote!(__schema::Mirrored),
            _ if field.tree.is_some() => quote!(__schema::InTree),
            _ if field.managed.is_some() => quote!(__schema::Managed),
            _ if field.copy.as_ref().is_some_and(|copy| copy.mode != CopyMode::Snapshot) => quote!(__schema::Copied),
            _ if model.is_some_and(|model| model.is_sharded_by(field)) => quote!(__schema::Sharded),
            _ if model.is_some_and(|model| model.is_placed_by(field)) => quote!(__schema::Placed),
            _ if field.immutable.is_some() && field.hidden.is_some() => quote!(__schema::HiddenImmutable),
            _ if field.immutable.is_some() => quote!(__schema::Immutable),
            _ if field.hidden.is_some() => quote!(__schema::HiddenField),
            _ => quote!(__K),
        };
        let value = expand_value(field, quote!(#ty), &owner, &index);
        let kind = match (&field.storage, &field.stored_as) {
            (_, Some(StoredAs { ty: stored, .. })) => {
                let is_converted = field.encoder.is_some() || field.decoder.is_some();
                let kind = if is_converted { quote!(StoredByFunction) } else { quote!(StoredAsField) };
                quote!(__schema::#kind<#access, #stored, #owner, #index>)
            }
            (Stored::Opaque { .. }, None) if field.encoder.is_some() => quote!(__schema::Converted<#access>),
            (Stored::Opaque { .. }, None) => quote!(__schema::Foreign<#access>),
            (_, None) => access,
        };
        // The type of a field with a mistake is unknown.
        match field.broken {
            true => quote!(#visibility #ident: __Mistake),
            false => quote!(#visibility #ident: __Token<__M, #value, #at<__P, #(#names,)* #index>, #kind>),
        }
    });
    let flats = record.flats.iter().map(|flat| {
        let (ident, ty, visibility) = (&flat.ident, &flat.ty, &flat.visibility);
        match flat.broken {
            true => quote!(#visibility #ident: __Mistake),
            false => quote!(#visibility #ident: __schema::FlatToken<__M, #ty, #within, __K>),
        }
    });
    let conditions = &generics.where_clause;
    let types = generics.type_params().map(|parameter| &parameter.ident);
    // Each token is made at the place of the field's type, so that rustc reports a mistake in the type once, at the
    // type.
    let made = record.fields.iter().map(|field| {
        let ident = &field.ident;
        let token = match field.broken {
            true => quote!(__schema::field_token()),
            false => over(&field.ty, quote!(__schema::field_token())),
        };
        quote!(#ident: #token)
    });
    let made_flats = record.flats.iter().map(|flat| {
        let ident = &flat.ident;
        let token = match flat.broken {
            true => quote!(__schema::field_token()),
            false => over(&flat.ty, quote!(__schema::flat_token())),
        };
        quote!(#ident: #token)
    });
    let encoders = expand_encoders(record);
    quote! {
        #encoders
        type #at<__P, #(#plain,)* const INDEX: usize> = __schema::Segment<#within, #owner, INDEX>;
        #[doc(hidden)]
        #[allow(dead_code, private_bounds, private_interfaces, unreachable_pub, clippy::type_complexity)]
        #visibility struct #fields_name<__M, __P, __K, #(#parameters),*> #conditions {
            #(#tokens,)*
            #(#flats,)*
            __schema: __schema::Marker<(__M, __P, __K, #(#types),*)>,
        }
        __schema::tokens!(#fields_name [#(#parameters),*] [#(#names),*] [#conditions] [#(#made,)* #(#made_flats,)*]);
    }
}

/// Writes the type of the values that a field is compared with: the type `ty` of the field, or the type of a field that
/// serde writes by a function, number `index` of the struct `owner`.
fn expand_value(field: &Field, ty: TokenStream, owner: &TokenStream, index: &Literal) -> TokenStream {
    let is_own = field.stored_as.is_some() || matches!(field.storage, Stored::Opaque { .. });
    if field.encoder.is_some() && is_own { quote!(__schema::Encoded<#ty, #owner, #index>) } else { ty }
}

/// Writes the type of the values that a field of a model is compared with, outside of the tokens of the model.
pub(super) fn expand_value_of(model: &Model, field: &Field) -> TokenStream {
    let ty = written(&field.ty);
    let owner = model.tagged.as_ref().map_or(&model.record.ident, |tagged| &tagged.shared.ident);
    let index = model.record.fields.iter().position(|other| other.ident == field.ident).unwrap_or_default();
    expand_value(field, ty, &quote!(#owner), &Literal::usize_unsuffixed(index))
}

/// Writes the functions of the fields that serde writes or reads by a function.
fn expand_encoders(record: &Record) -> TokenStream {
    let name = &record.ident;
    let generics = bounded_generics(record);
    let (parameters, arguments, conditions) = generics.split_for_impl();
    let fields = record.fields.iter().enumerate();
    let is_known = |field: &Field| field.stored_as.is_some() || matches!(field.storage, Stored::Opaque { .. });
    let decoders = fields.clone().filter(|(_, field)| field.managed.is_some()).filter_map(|(at, field)| {
        let (ty, decoder, at) = (&field.ty, field.decoder.as_ref()?, Literal::usize_unsuffixed(at));
        Some(quote! {
            impl #parameters __schema::Decodes<#at> for #name #arguments #conditions {
                type Value = #ty;
                fn decode<'__de, __D: __schema::serde::Deserializer<'__de>>(deserializer: __D) -> ::core::result::Result<#ty, __D::Error> {
                    #decoder(deserializer)
                }
            }
        })
    });
    let encoders = fields.filter(|(_, field)| is_known(field)).filter_map(|(at, field)| {
        let (ty, encoder, at) = (&field.ty, field.encoder.as_ref()?, Literal::usize_unsuffixed(at));
        Some(quote! {
            impl #parameters __schema::Encodes<#at> for #name #arguments #conditions {
                type Value = #ty;
                fn encode<__S: __schema::serde::Serializer>(value: &#ty, serializer: __S) -> ::core::result::Result<__S::Ok, __S::Error> {
                    #encoder(value, serializer)
                }
            }
        })
    });
    encoders.chain(decoders).collect()
}

/// Writes a parameter without bounds, for a type alias.
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

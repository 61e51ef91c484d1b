//! Writes the result of a read of facets: the definition and the calls of the checks.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::DeriveInput;

use super::{
    Mistake,
    aggregate::{expand_number, expand_order, names},
    check_call::check,
    literal::{expand_literal, number},
    span::{over, written},
};
use crate::{
    model::{
        Lost,
        facets::{Facet, FacetField, FacetKind, Facets},
    },
    parse::ungroup,
};

pub(crate) fn expand_facets(facets: &Facets, mistake: Option<&Mistake>) -> Option<TokenStream> {
    let (name, of, whole) = (&facets.ident, &facets.of, mistake.is_none());
    let text = name.to_string();
    let alias = mistake.map(Mistake::alias);
    let fields = facets.fields.iter().map(expand_field);
    let definition = if whole { expand_definition(facets) } else { quote!(&[], &[]) };
    let checks = if whole { expand_checks(facets) } else { TokenStream::new() };
    Some(quote! {
        const _: () = {
            use ::schema_runtime::__private::names::*;
            #alias
            impl __schema::Record for #name {
                const STRUCT: &'static str = #text;
                const FIELDS: &'static [__Stored] = &[#(#fields),*];
            }
            impl __schema::Facets for #name {
                type Of = #of;
                const FACETS: __schema::FacetsDefinition = __schema::FacetsDefinition::new(#definition);
            }
        };
        #checks
    })
}

/// Writes the impls after a mistake that leaves the model unknown.
pub(crate) fn fallback_facets(input: &DeriveInput, mistake: &Mistake, _: &[Lost]) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let (name, alias) = (&input.ident, mistake.alias());
    quote! {
        const _: () = {
            use ::schema_runtime::__private as __schema;
            #alias
            impl __schema::Record for #name {
                const STRUCT: &'static str = "";
                const FIELDS: &'static [__schema::FieldDefinition] = &[];
            }
            impl __schema::Facets for #name {
                type Of = __Mistake;
                const FACETS: __schema::FacetsDefinition = __schema::FacetsDefinition::new(&[], &[]);
            }
        };
    }
}

/// Writes the definition of a field of the result.
fn expand_field(field: &FacetField) -> TokenStream {
    let (rust_name, name, ty) = (&field.rust_name, &field.name, written(&field.ty));
    let shape = match field.facet.as_ref().map(|facet| &facet.kind) {
        Some(FacetKind::Page { .. }) => quote!(<#ty as __schema::TopRows>::SHAPE),
        Some(FacetKind::CountBy { .. } | FacetKind::Ranges { .. }) => quote!(<#ty as __schema::FacetCounts>::SHAPE),
        Some(FacetKind::Value(_)) => quote!(<#ty as __Field>::SHAPE),
        None => quote!(__schema::Shape::opaque(0)),
    };
    let shape = over(ungroup(&field.ty), shape);
    quote!(__Stored::new(#rust_name, #name, #shape))
}

/// Returns the facets with their fields, and the numbers of the fields.
fn numbered(facets: &Facets) -> impl Iterator<Item = (Literal, &FacetField, &Facet)> {
    let fields = facets.fields.iter().enumerate();
    fields.filter_map(|(at, field)| Some((Literal::usize_unsuffixed(at), field, field.facet.as_ref()?)))
}

fn expand_definition(facets: &Facets) -> TokenStream {
    let (mut parts, mut values) = (Vec::new(), Vec::new());
    for (at, field, facet) in numbered(facets) {
        let kind = match &facet.kind {
            FacetKind::Page { limit, order } => {
                let limit = number(limit.as_ref().map_or(0, |limit| limit.value));
                let (order, ty) = (expand_order(order), written(&field.ty));
                let fields =
                    over(ungroup(&field.ty), quote!(<<#ty as __schema::TopRows>::Item as __schema::Record>::FIELDS));
                quote!(Page { limit: #limit, order: #order, fields: #fields })
            }
            FacetKind::CountBy { of, limit } => {
                let (path, limit) = (names(&of.path), number(limit.as_ref().map_or(0, |limit| limit.value)));
                quote!(Counts { path: #path, limit: #limit })
            }
            FacetKind::Ranges { of, limits } => {
                let (path, limits) = (names(&of.path), limits.iter().map(expand_literal));
                quote!(Ranges { path: #path, limits: &[#(#limits),*] })
            }
            FacetKind::Value(value) => {
                let kind = expand_number(&value.kind);
                values.push(quote!(__schema::ValueDefinition { field: #at, kind: __schema::ValueKind::#kind }));
                continue;
            }
        };
        parts.push(quote!(__schema::FacetDefinition { field: #at, kind: __schema::FacetKind::#kind }));
    }
    quote!(&[#(#parts),*], &[#(#values),*])
}

fn expand_checks(facets: &Facets) -> TokenStream {
    let name = &facets.ident;
    let generics = || quote!(::<#name>);
    let (mut checks, mut values, mut parts) = (TokenStream::new(), 0, 0);
    for (_, field, facet) in numbered(facets) {
        let ty = ungroup(&field.ty);
        if let FacetKind::Value(value) = &facet.kind {
            let at = Literal::usize_unsuffixed(values);
            values += 1;
            checks.extend(check(&value.tokens, "facet_value", generics(), quote!(#at)));
            checks.extend(check(ty, "facet_value_type", generics(), quote!(#at)));
            continue;
        }
        let at = Literal::usize_unsuffixed(parts);
        parts += 1;
        match &facet.kind {
            FacetKind::Page { order, .. } => {
                for (key_at, key) in order.iter().enumerate() {
                    let key_at = Literal::usize_unsuffixed(key_at);
                    checks.extend(check(&key.tokens, "facet_order", generics(), quote!(#at, #key_at)));
                }
                let rows = written(&field.ty);
                checks.extend(check(ty, "facet_page", quote!(::<#name, #rows>), quote!()));
            }
            FacetKind::CountBy { of, .. } | FacetKind::Ranges { of, .. } => {
                checks.extend(check(&of.tokens, "facet_source", generics(), quote!(#at)));
                checks.extend(check(ty, "facet_type", generics(), quote!(#at)));
            }
            FacetKind::Value(_) => {}
        }
    }
    checks
}

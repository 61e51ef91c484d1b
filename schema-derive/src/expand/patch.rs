//! Writes a struct of optional changes.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::DeriveInput;

use super::{
    Mistake,
    check_call::check,
    span::{local, over, this, written},
};
use crate::{
    model::{
        Lost,
        patch::{Patch, PatchField, PatchForm, PatchJson, SerdeNull},
    },
    parse::identifier,
};

pub(crate) fn expand_patch(patch: &Patch, mistake: Option<&Mistake>) -> Option<TokenStream> {
    let (name, of) = (&patch.ident, &patch.of);
    let variable = |name: &str| Ident::new(name, Span::call_site());
    let (fields, changes, whole) = (variable("fields"), variable("changes"), mistake.is_none());
    let lines = patch.fields.iter().filter(|_| whole).map(|field| expand_field(field, &fields, &changes));
    let tokens = over(of, quote!(<#of as ::schema_runtime::__private::Model>::F));
    let body = whole.then(|| quote!(let #fields = #tokens; #(#lines)*));
    let (text, json) = (name.to_string(), patch.fields.iter().filter(|_| whole).filter_map(expand_json));
    let checks = patch.fields.iter().filter(|_| whole).filter_map(|field| expand_check(name, field));
    let written_of = written(of);
    let of_model = over(of, quote!(impl __schema::PatchOf<#written_of> for #name {}));
    Some(quote! {
        const _: () = {
            use ::schema_runtime::__private::names::*;
            impl __schema::Patch for #name {
                type Of = #of;
                fn add_to(&self, #changes: &mut __schema::Changes<#of>) {
                    #body
                }
            }
            impl __schema::Record for #name {
                const STRUCT: &'static str = #text;
                const FIELDS: &'static [__Stored] = &[#(#json),*];
            }
            #of_model
        };
        #(#checks)*
    })
}

/// Writes the impl after a mistake that leaves the model unknown.
pub(crate) fn fallback_patch(input: &DeriveInput, mistake: &Mistake, _: &[Lost]) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let (name, alias) = (&input.ident, mistake.alias());
    quote! {
        const _: () = {
            use ::schema_runtime::__private as __schema;
            #alias
            impl __schema::Patch for #name {
                type Of = __Mistake;
                fn add_to(&self, _: &mut __schema::Changes<__Mistake>) {}
            }
            impl __schema::Record for #name {
                const STRUCT: &'static str = "";
                const FIELDS: &'static [__schema::FieldDefinition] = &[];
            }
            impl<__M> __schema::PatchOf<__M> for #name {}
        };
    }
}

/// Writes the change of one field, at the user's tokens: the field of the model at the name, the value at the type.
fn expand_field(field: &PatchField, fields: &Ident, changes: &Ident) -> TokenStream {
    let PatchField { ident, ty, value, path, .. } = field;
    let named = path.first().unwrap_or(ident);
    // rustc points at the user's tokens where no variable of the derive begins the argument.
    let (own, changes, this) = (over(named, quote!(__fields)), local(changes, named), this(ty));
    let value = written(value);
    let function = over(named, quote!(::schema_runtime::__private::add_patch_field::<_, #value>));
    let value = over(ty, quote!(&#this.#ident));
    let mut arguments = Group::new(Delimiter::Parenthesis, quote!(#changes, #own #(.#path)*, #value));
    arguments.set_span(named.span());
    let arguments = TokenTree::Group(arguments);
    quote!(let #own = #fields; #function #arguments;)
}

/// Writes the definition of a field in JSON; `None` for a field that serde never reads.
fn expand_json(field: &PatchField) -> Option<TokenStream> {
    let (rust_name, value) = (identifier(&field.ident), written(&field.value));
    Some(match &field.json {
        PatchJson::Typed(name) => quote!(__Stored::patch(#rust_name, #name, __schema::PatchShape::<#value>::SHAPE)),
        PatchJson::Converted(name) => quote!(__Stored::patch(#rust_name, #name, __schema::Shape::converted(0))),
        PatchJson::Absent => return None,
    })
}

/// Writes the check of a field that may set null; `None` where serde distinguishes null from an absent field.
fn expand_check(name: &Ident, field: &PatchField) -> Option<TokenStream> {
    let PatchForm::Nullable(SerdeNull { lacks_reader, lacks_skip }) = field.form else { return None };
    let serde = quote!(::schema_runtime::__private::Serde::<#name>);
    let lacks = match (lacks_reader, lacks_skip) {
        (false, false) => return None,
        (true, false) => quote!(#serde::IS_READ),
        (false, true) => quote!(#serde::IS_WRITTEN),
        (true, true) => quote!(#serde::IS_READ || #serde::IS_WRITTEN),
    };
    let text = identifier(&field.ident);
    let check = check(&field.ty, "patch_null", TokenStream::new(), quote!(#text, #lacks));
    Some(quote! {
        const _: () = {
            #[allow(unused_imports)]
            use ::schema_runtime::__private::NoSerde as _;
            #check
        };
    })
}

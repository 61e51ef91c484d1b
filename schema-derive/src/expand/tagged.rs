//! Writes an enum that holds data: a struct of tokens for each variant, a struct of tokens for the shared fields, and
//! the definitions of the variants.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::{
    Mistake,
    check_call::check,
    checks, definition,
    fields::{Tokens, expand_tokens, fields_ident},
    span::{over, placed, written},
};
use crate::model::{Data, KEYWORDS, Model, Record, Tagged, Variant};

pub(super) fn expand_tagged(tagged: &Tagged, mistake: Option<&Mistake>) -> TokenStream {
    let whole = mistake.is_none();
    let alias = mistake.map(Mistake::alias);
    let (name, text, tokens) = (&tagged.ident, tagged.ident.to_string(), tokens_ident(tagged));
    let parts = expand_parts(tagged, false, whole);
    let not_whole = (!whole).then(|| quote!(.not_whole()));
    quote! {
        const _: () = {
            use ::schema_runtime::__private::names::*;
            #alias
            #parts
            impl __schema::Described for #name {
                const SHAPE: __schema::Shape = __schema::Shape::document(#text, <Self as __schema::Record>::FIELDS, true)
                    .variants(<Self as __schema::Tagged>::VARIANTS) #not_whole;
                type Class = __schema::class::Subdocument;
                type Nested<__M: 'static, __P: __schema::Path, __K: 'static> = #tokens<__M, __P, __K>;
            }
            impl __schema::Embed for #name {}
        };
    }
}

/// Returns the name of the struct of tokens of the enum.
pub(super) fn tokens_ident(tagged: &Tagged) -> Ident {
    format_ident!("__{}Fields", tagged.ident)
}

/// Writes the arm of a `match` of two values that exchanges the fields that serde skips in this variant; `None` for a
/// variant without skipped fields.
pub(super) fn expand_skipped_of_variant(variant: &Variant) -> Option<TokenStream> {
    let Data::Fields(record) = &variant.data else { return None };
    let (ident, skipped) = (&variant.ident, &record.skipped);
    let names = |prefix: &str| skipped.iter().map(|name| format_ident!("{prefix}{name}")).collect::<Vec<_>>();
    let (mine, theirs) = (names("__mine_"), names("__stored_"));
    (!skipped.is_empty()).then(|| {
        quote! {
            (Self::#ident { #(#skipped: #mine,)* .. }, Self::#ident { #(#skipped: #theirs,)* .. }) => {
                #(::core::mem::swap(#mine, #theirs);)*
            }
        }
    })
}

/// Writes the code that is the same for an embedded enum and for a model.
pub(super) fn expand_parts(tagged: &Tagged, is_model: bool, whole: bool) -> TokenStream {
    let shared = expand_part(
        &tagged.shared,
        tagged.ident.to_string(),
        tokens_ident(tagged),
        inside(tagged, quote!(__P)),
        is_model,
    );
    let variants = tagged.variants.iter().filter_map(|variant| match &variant.data {
        Data::Fields(record) => {
            let text = format!("{}::{}", tagged.ident, variant.ident);
            Some(expand_part(record, text, fields_ident(record), quote!(__P), is_model))
        }
        Data::Nothing | Data::Struct(_) => None,
    });
    let (definitions, methods) = (expand_definitions(tagged), expand_methods(tagged));
    let checks =
        whole.then(|| tagged.variants.iter().map(|variant| expand_checks(tagged, variant)).collect::<TokenStream>());
    quote!(#shared #(#variants)* #definitions #methods #checks)
}

/// Writes a part of the enum as a struct, and the tokens of the fields. A value of the struct is never made.
fn expand_part(record: &Record, text: String, fields_name: Ident, within: TokenStream, is_model: bool) -> TokenStream {
    let (ident, visibility, fields) = (&record.ident, &record.visibility, definition::expand_fields(record));
    let at = &format_ident!("__At{}", ident);
    let tokens = expand_tokens(record, None, &Tokens { at, fields_name, within, is_model });
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, unreachable_pub)]
        #visibility enum #ident {}
        #tokens
        impl __schema::Record for #ident {
            const STRUCT: &'static str = #text;
            const FIELDS: &'static [__Stored] = #fields;
        }
    }
}

/// Returns the path of the data, for an enum at `path`.
fn inside(tagged: &Tagged, path: TokenStream) -> TokenStream {
    let name = &tagged.ident;
    match tagged.content {
        Some(_) => quote!(__schema::Segment<#path, #name, 1>),
        None => path,
    }
}

/// Writes the stored fields of a variant.
fn expand_variant_fields(variant: &Variant) -> TokenStream {
    match &variant.data {
        Data::Nothing => quote!(&[]),
        Data::Fields(record) => {
            let ident = &record.ident;
            quote!(<#ident as __schema::Record>::FIELDS)
        }
        Data::Struct(ty) => {
            let written = written(ty);
            over(ty, quote!(<#written as __Field>::SHAPE.fields()))
        }
    }
}

/// Writes the definitions of the variants, and the fields of all variants.
fn expand_definitions(tagged: &Tagged) -> TokenStream {
    let (name, text, tag) = (&tagged.ident, tagged.ident.to_string(), &tagged.tag);
    let names = tagged.variants.iter().map(|variant| &variant.name);
    let tag_field = quote!(__Stored::new(#tag, #tag, __schema::Shape::new(__schema::Kind::Enum(&[#(#names),*]))));
    let inner: Vec<TokenStream> = tagged
        .variants
        .iter()
        .map(|variant| {
            let (name, fields) = (&variant.name, expand_variant_fields(variant));
            quote!(__schema::VariantDefinition::new(#name, #fields))
        })
        .collect();
    let Some(content) = &tagged.content else {
        return quote! {
            impl __schema::Tagged for #name {
                const VARIANTS: &'static __schema::Variants = &__schema::Variants::new(#tag, &[#(#inner),*]);
            }
            const __FIRST: &[__Stored] = &[#tag_field];
            const __MERGED: [__Stored; __schema::merged_len(__FIRST, <#name as __schema::Tagged>::VARIANTS.list)] =
                __schema::merged(__FIRST, <#name as __schema::Tagged>::VARIANTS.list);
            impl __schema::Record for #name {
                const STRUCT: &'static str = #text;
                const FIELDS: &'static [__Stored] = &__MERGED;
                const TAGGED: ::core::option::Option<&'static __schema::Variants> =
                    ::core::option::Option::Some(<#name as __schema::Tagged>::VARIANTS);
            }
        };
    };
    let outer = tagged.variants.iter().map(|variant| {
        let (name, fields) = (&variant.name, expand_variant_fields(variant));
        let text = format!("{}::{}", tagged.ident, variant.ident);
        let content = match &variant.data {
            Data::Nothing => None,
            Data::Fields(_) | Data::Struct(_) => {
                Some(quote!(__Stored::new(#content, #content, __schema::Shape::document(#text, #fields, true))))
            }
        };
        quote!(__schema::VariantDefinition::new(#name, &[#content]))
    });
    let has_units = tagged.variants.iter().any(|variant| matches!(variant.data, Data::Nothing));
    let absent = has_units.then(|| quote!(.defaulted()));
    quote! {
        impl __schema::Tagged for #name {
            const VARIANTS: &'static __schema::Variants = &__schema::Variants::new(#tag, &[#(#outer),*]).adjacent();
        }
        const __CONTENTS: &[__schema::VariantDefinition] = &[#(#inner),*];
        const __MERGED: [__Stored; __schema::merged_len(&[], __CONTENTS)] = __schema::merged(&[], __CONTENTS);
        impl __schema::Record for #name {
            const STRUCT: &'static str = #text;
            const FIELDS: &'static [__Stored] = &[
                #tag_field,
                __Stored::new(#content, #content, __schema::Shape::document(#text, &__MERGED, true)) #absent
            ];
            const TAGGED: ::core::option::Option<&'static __schema::Variants> =
                ::core::option::Option::Some(<#name as __schema::Tagged>::VARIANTS);
        }
    }
}

/// Writes the methods of `F.body`: the tag, and for each variant a method that leads to the fields and a method that
/// asks for the variant. The fields of `F.body` are the fields that all variants share.
fn expand_methods(tagged: &Tagged) -> TokenStream {
    let (name, tokens, visibility) = (&tagged.ident, tokens_ident(tagged), &tagged.visibility);
    // A rule reports two variants with the same method; only the first variant is written.
    let mut taken = BTreeSet::new();
    let variants = tagged.variants.iter().enumerate();
    let variants = variants.filter(|(_, variant)| {
        let method = variant.method();
        taken.insert(format!("is_{method}")) && taken.insert(method)
    });
    let methods = variants.map(|(at, variant)| {
        let (text, stored, at) = (variant.ident.to_string(), &variant.name, Literal::usize_unsuffixed(at));
        let span = variant.ident.span();
        let method = variant.method();
        let (asks, leads) = (format_ident!("is_{}", method, span = span), method_ident(&method, span));
        let is_doc = format!("The value is a `{text}`.");
        let asks = quote! {
            #[doc = #is_doc]
            #visibility fn #asks(&self) -> __schema::Filter<__M> {
                __schema::QueryOperators::eq(self.tag(), #stored)
            }
        };
        let path = inside(tagged, quote!(__schema::InVariant<__P, #name, #at>));
        let bound = over(&variant.ident, quote!(__P: __schema::OneValue));
        let inner = match &variant.data {
            Data::Nothing => return asks,
            Data::Fields(record) => {
                let fields = fields_ident(record);
                quote!(#fields<__M, #path, __K>)
            }
            Data::Struct(ty) => {
                let written = written(ty);
                placed(ty, quote!(<#written as __Field>::Nested<__M, #path, __K>))
            }
        };
        let doc = format!("The fields of a `{text}`. A condition on a field holds for this variant alone.");
        quote! {
            #asks
            #[doc = #doc]
            #visibility fn #leads(&self) -> #inner
            where
                #bound,
            {
                __schema::NestedTokens::NEW
            }
        }
    });
    quote! {
        #[allow(dead_code, private_bounds, private_interfaces, unreachable_pub, clippy::type_complexity)]
        impl<__M: 'static, __P: __schema::Path, __K: 'static> #tokens<__M, __P, __K> {
            /// The stored name of the variant.
            #visibility fn tag(
                &self,
            ) -> __Token<__M, ::std::string::String, __schema::Segment<__P, #name, 0>, __schema::TagField> {
                __schema::field_token()
            }
            #(#methods)*
        }
    }
}

/// Makes the name of a method: `type` is a keyword of Rust, and `r#type` a name.
fn method_ident(method: &str, span: proc_macro2::Span) -> Ident {
    match syn::parse_str::<Ident>(method) {
        Ok(_) => Ident::new(method, span),
        // A rule reports a keyword that `r#` does not help.
        Err(_) if KEYWORDS.contains(&method) => format_ident!("{}_", method, span = span),
        Err(_) => Ident::new_raw(method, span),
    }
}

/// Writes the checks of a variant: the checks of the fields, as for any struct, and the check that a variant may hold
/// the data.
fn expand_checks(tagged: &Tagged, variant: &Variant) -> TokenStream {
    let (name, text) = (&tagged.ident, format!("{}::{}", tagged.ident, variant.ident));
    match &variant.data {
        Data::Nothing => TokenStream::new(),
        Data::Fields(record) => {
            let mut code = checks::expand_struct_checks(record);
            for (at, field) in record.fields.iter().enumerate() {
                if field.stored_as.is_none() && crate::parse::may_be_struct(&field.ty) {
                    let (ident, at) = (&record.ident, Literal::usize_unsuffixed(at));
                    code.extend(check(&field.ty, "variant_field", quote!(::<#ident>), quote!(#at)));
                }
            }
            code
        }
        Data::Struct(ty) => {
            let written = written(ty);
            check(ty, "variant_type", quote!(::<#name, #written>), quote!(#text))
        }
    }
}

/// Writes `Shape::circles()` for each variant: a read of the documents of the variant.
pub(super) fn expand_views(model: &Model, tagged: &Tagged) -> TokenStream {
    let (name, visibility) = (&tagged.ident, &tagged.visibility);
    let views = tagged.variants.iter().filter(|variant| model.brings(&variant.ident, &variant.view()));
    let views = views.map(|variant| {
        let span = variant.ident.span();
        let (view, asks) = (method_ident(&variant.view(), span), format_ident!("is_{}", variant.method(), span = span));
        let doc = format!("The documents that are a `{}`.", variant.ident);
        quote! {
            #[doc = #doc]
            #visibility fn #view() -> __schema::Find<Self> {
                <Self as __schema::Operations>::find(Self::F.#asks())
            }
        }
    });
    quote! {
        #[allow(dead_code, unreachable_pub)]
        impl #name {
            #(#views)*
        }
    }
}

/// Writes the read of the `_id`; every variant has an `_id`.
pub(super) fn expand_id(tagged: &Tagged, id: &Ident) -> TokenStream {
    let variants = tagged.variants.iter().map(|variant| &variant.ident);
    let skipped =
        tagged.has_skipped.then(|| quote!(_ => ::core::unreachable!("serde does not store a skipped variant"),));
    quote! {
        match self {
            #(Self::#variants { #id, .. } => #id,)*
            #skipped
        }
    }
}

//! Writes the code of embedded types.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Generics, Type};

use super::{
    Mistake, bounded_generics, checks, copy, definition, fields,
    span::{over, written},
    tagged::expand_tagged,
    value_rule::expand_type_checks,
};
use crate::model::{Embed, Record, Stored};

pub(crate) fn expand_embed(embed: &Embed, mistake: Option<&Mistake>) -> Option<TokenStream> {
    let whole = mistake.is_none();
    Some(match embed {
        Embed::Struct(record) => expand_struct(record, mistake),
        Embed::Tagged(tagged) => expand_tagged(tagged, mistake),
        Embed::Enum { ident, variants } => {
            let variants = variants.iter().map(|(_, name)| name);
            let not_whole = (!whole).then(|| quote!(.not_whole()));
            quote! {
                const _: () = {
                    use ::schema_runtime::__private::names::*;
                    impl __schema::Described for #ident {
                        const SHAPE: __schema::Shape =
                            __schema::Shape::new(__schema::Kind::Enum(&[#(#variants),*])) #not_whole;
                        type Class = __schema::class::Enumeration;
                        type Nested<__M: 'static, __P: __schema::Path, __K: 'static> = __schema::NoFields;
                    }
                    impl __schema::Embed for #ident {}
                };
            }
        }
        Embed::StoredAs { ident, generics, ty } => expand_stored_as(ident, generics, ty, whole),
        Embed::Newtype { ident, generics, ty, storage, checks } => {
            let is_judged = whole && generics.params.is_empty();
            let mut generics = generics.clone();
            for parameter in generics.type_params_mut() {
                parameter.bounds.push(syn::parse_quote!(::schema_runtime::__private::Field));
            }
            let (generics, type_generics, where_clause) = generics.split_for_impl();
            let rules = is_judged.then(|| expand_type_checks(ident, checks));
            let shape = definition::expand_shape(ty, storage, checks);
            let (class, nested) = match storage {
                Stored::Opaque { .. } => (quote!(__schema::class::Opaque), quote!(__schema::NoFields)),
                _ => {
                    let written = written(ty);
                    let class = over(ty, quote!(<#written as __Field>::Class));
                    (class, over(ty, quote!(<#written as __Field>::Nested<__M, __P, __K>)))
                }
            };
            quote! {
                const _: () = {
                    use ::schema_runtime::__private::names::*;
                    impl #generics __schema::Described for #ident #type_generics #where_clause {
                        const SHAPE: __schema::Shape = #shape.newtype();
                        type Class = #class;
                        type Nested<__M: 'static, __P: __schema::Path, __K: 'static> = #nested;
                    }
                    impl #generics __schema::Embed for #ident #type_generics #where_clause {}
                };
                #rules
            }
        }
    })
}

/// Writes a type that serde writes as a value of the declared type.
fn expand_stored_as(ident: &Ident, generics: &Generics, ty: &Type, whole: bool) -> TokenStream {
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.default = None;
        parameter.bounds.push(syn::parse_quote!('static));
    }
    let (generics, type_generics, where_clause) = generics.split_for_impl();
    let (inner, text) = (written(ty), ident.to_string());
    let not_whole = (!whole).then(|| quote!(.not_whole()));
    let (shape, class) = (over(ty, quote!(<#inner as __Field>::SHAPE)), over(ty, quote!(<#inner as __Field>::Class)));
    let check = whole.then(|| checks::expand_stored_check(ty, "stored_type"));
    quote! {
        const _: () = {
            use ::schema_runtime::__private::names::*;
            impl #generics __schema::Described for #ident #type_generics #where_clause {
                const SHAPE: __schema::Shape = #shape.stored_as(const {
                    &__schema::StoredAs::new(::core::concat!(::core::module_path!(), "::", #text))
                }) #not_whole;
                type Class = #class;
                type Nested<__M: 'static, __P: __schema::Path, __K: 'static> = __schema::NoFields;
            }
            impl #generics __schema::Embed for #ident #type_generics #where_clause {}
        };
        #check
    }
}

fn expand_struct(record: &Record, mistake: Option<&Mistake>) -> TokenStream {
    let whole = mistake.is_none();
    let alias = mistake.map(Mistake::alias);
    let (name, text) = (&record.ident, record.ident.to_string());
    let fields_struct = fields::expand_fields_struct(record, None);
    let fields_ident = fields::fields_ident(record);
    let field_list = definition::expand_fields(record);
    let bounded = bounded_generics(record);
    let names: Vec<TokenStream> = bounded.params.iter().map(fields::name_of).collect();
    let (generics, type_generics, where_clause) = bounded.split_for_impl();
    // A generic struct is checked at each use. Any struct without parameters is checked here, and not again at a use.
    let judged = bounded.params.is_empty();
    let checks = if whole && judged { checks::expand_struct_checks(record) } else { TokenStream::new() };
    let (copies, reference) = (copy::expand_copies(record), copy::expand_reference(record));
    let not_whole = (!whole).then(|| quote!(.not_whole()));
    let strict = record.strict.then(|| quote!(.strict()));
    let with_copies = copies.as_ref().map(|_| quote!(.copies(<Self as __schema::Record>::COPIES)));
    quote! {
        const _: () = {
            use ::schema_runtime::__private::names::*;
            #alias
            #fields_struct
            impl #generics __schema::Record for #name #type_generics #where_clause {
                const STRUCT: &'static str = #text;
                const FIELDS: &'static [__Stored] = #field_list;
                #copies
            }
            #reference
            impl #generics __schema::Described for #name #type_generics #where_clause {
                const SHAPE: __schema::Shape =
                    __schema::Shape::document(#text, <Self as __schema::Record>::FIELDS, #judged) #with_copies #strict #not_whole;
                type Class = __schema::class::Subdocument;
                type Nested<__M: 'static, __P: __schema::Path, __K: 'static> = #fields_ident<__M, __P, __K, #(#names),*>;
            }
            impl #generics __schema::Embed for #name #type_generics #where_clause {}
        };
        #checks
    }
}

//! A checked partial view of a model.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::definition;
use crate::model::Projection;

pub(crate) fn expand_projection(projection: &Projection, whole: bool) -> TokenStream {
    let (name, of) = (&projection.record.ident, &projection.of);
    let text = name.to_string();
    let field_list = definition::expand_fields(&projection.record);
    let checks = projection.record.fields.iter().enumerate().filter(|_| whole).map(|(at, field)| {
        quote_spanned! {field.ident.span()=>
            const _: () = ::schema_runtime::__private::projection_field::<#of, #name>(#text, #at);
        }
    });
    quote! {
        const _: () = {
            use ::schema_runtime::__private as __schema;
            #[diagnostic::do_not_recommend]
            impl __schema::Record for #name {
                const FIELDS: &'static [__schema::FieldDefinition] = &[#field_list];
            }
            #[diagnostic::do_not_recommend]
            impl __schema::Projection for #name {
                type Of = #of;
            }
        };
        #(#checks)*
    }
}

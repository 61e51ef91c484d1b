//! Writes a checked partial view of a model.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Mistake, checks, definition, span::over};
use crate::model::Projection;

pub(crate) fn expand_projection(projection: &Projection, mistake: Option<&Mistake>) -> Option<TokenStream> {
    let (name, of) = (&projection.record.ident, &projection.of);
    let text = name.to_string();
    let field_list = definition::expand_fields(&projection.record);
    let checks = projection.record.fields.iter().enumerate().filter(|_| mistake.is_none()).map(|(at, field)| {
        let at = proc_macro2::Literal::usize_unsuffixed(at);
        let call = over(&field.ident, quote!(::schema_runtime::__private::projection_field::<#name>(#at)));
        quote!(const _: () = #call;)
    });
    let flats = projection.record.flats.iter().filter(|_| mistake.is_none());
    let flats = flats.map(|flat| checks::expand_flat_check(name, flat, "projected_flat"));
    Some(quote! {
        const _: () = {
            use ::schema_runtime::__private::names::*;
            impl __schema::Record for #name {
                const STRUCT: &'static str = #text;
                const FIELDS: &'static [__Stored] = #field_list;
            }
            impl __schema::Projection for #name {
                type Of = #of;
            }
        };
        #(#checks)*
        #(#flats)*
    })
}

//! Writes a history: the definition of the field, and the method that reads the history at a time.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::{
    order::order_keys,
    span::{over, written},
};
use crate::model::{Field, Model, Stored};

/// Writes `.history(HistoryDefinition::new(50)..)` or nothing.
pub(super) fn expand_history(field: &Field) -> Option<TokenStream> {
    let Stored::History(history) = &field.storage else { return None };
    let keep = Literal::u64_unsuffixed(history.keep.value);
    let keys = order_keys(&history.order);
    let interval = history.interval.as_ref().map(|interval| {
        let (start, end) = (&interval.start, &interval.end);
        quote!(.interval(#start, #end))
    });
    Some(quote!(.history(__schema::HistoryDefinition::new(#keep, #keys) #interval)))
}

/// Writes `product.prices_at(time)` for each history of intervals.
pub(super) fn expand_history_methods(model: &Model) -> Option<TokenStream> {
    let mut methods = model
        .record
        .fields
        .iter()
        .enumerate()
        .filter_map(|(at, field)| {
            let Stored::History(history) = &field.storage else { return None };
            let interval = history.interval.as_ref().filter(|_| model.brings(&field.ident, &format!("{}_at", field.rust_name)))?;
            let (ident, ty, visibility) = (&field.ident, written(&field.ty), &field.visibility);
            let (method, at) = (format_ident!("{}_at", field.ident), Literal::usize_unsuffixed(at));
            let text = format!("The entry of `{}` that holds at this time.", field.rust_name);
            Some(over(
                &interval.tokens,
                quote! {
                    #[doc = #text]
                    #[allow(dead_code)]
                    #visibility fn #method(
                        &self,
                        time: __schema::DateTime,
                    ) -> ::core::option::Option<&__schema::ElementOf<#ty>> {
                        __schema::history_at::<#ty, __schema::ElementOf<#ty>>(&<Self as __schema::Record>::FIELDS[#at], &self.#ident, time)
                    }
                },
            ))
        })
        .peekable();
    methods.peek()?;
    let name = &model.record.ident;
    Some(quote!(impl #name { #(#methods)* }))
}

//! An order, as `const` data.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::model::OrderKey;

/// `&[OrderKey::desc("time"), ..]`
pub(super) fn order_keys(order: &[OrderKey]) -> TokenStream {
    let keys = order.iter().map(|key| {
        let field = &key.field;
        let make = Ident::new(if key.descending { "desc" } else { "asc" }, Span::call_site());
        quote!(__schema::OrderKey::#make(#field))
    });
    quote!(&[#(#keys),*])
}

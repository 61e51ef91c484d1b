//! Writes the values that a parent keeps of children, as `const` data.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::{
    order::order_keys,
    span::{over, written},
};
use crate::{
    model::{Field, Record, Rollup, RollupKind, Stored},
    parse::identifier,
};

/// Writes `const ROLLUPS: .. = &[..];` of a model; nothing for a model without rollups.
pub(super) fn expand_rollups(record: &Record) -> Option<TokenStream> {
    let mut rollups = record
        .fields
        .iter()
        .filter_map(|field| field.rollup.as_ref().map(|rollup| expand_rollup(field, rollup)))
        .peekable();
    rollups.peek()?;
    Some(quote!(const ROLLUPS: &'static [__schema::RollupDefinition] = &[#(#rollups),*];))
}

fn expand_rollup(field: &Field, rollup: &Rollup) -> TokenStream {
    let (rust_name, name, reference) = (&field.rust_name, &field.name, identifier(&rollup.reference));
    let child = written(&rollup.child);
    let kind = match (&rollup.kind, &field.storage) {
        (RollupKind::Subset { order }, Stored::Subset { keep }) => {
            let keep = Literal::u64_unsuffixed(keep.value);
            let keys = order_keys(order);
            quote!(Subset { keep: #keep, order: #keys })
        }
        (RollupKind::Function { word, field, .. }, _) => {
            let name = match *word {
                "sum" => "Sum",
                "avg" => "Avg",
                "min" => "Min",
                _ => "Max",
            };
            let variant = Ident::new(name, Span::call_site());
            quote!(#variant(#field))
        }
        (RollupKind::Count | RollupKind::Subset { .. }, _) => quote!(Count),
    };
    let code =
        quote!(__schema::RollupDefinition::new::<#child>((#rust_name, #name), #reference, __schema::RollupKind::#kind));
    over(&rollup.child, code)
}

//! Writes the shard key of a model as `const` data, and a filter by the whole shard key.

use proc_macro2::TokenStream;
use quote::quote;

use super::{definition::expand_allows, fields::expand_value_of, literal::number, span::over};
use crate::model::{BY_SHARD_KEY, Model, Workload};

/// Writes `const SHARD_KEY: .. = Some(&..);` of a model; nothing for a model without a shard key.
pub(super) fn expand_shard_key(model: &Model) -> Option<TokenStream> {
    let key = model.shard_key.as_ref()?;
    let fields = key.fields.iter().map(|field| {
        let path = &field.path;
        let hashed = field.hashed.then(|| quote!(.hashed()));
        let distinct = field.distinct.as_ref().map(|values| {
            let values = number(values.value);
            quote!(.distinct(#values))
        });
        let refers = field.refers.then(|| quote!(.refers()));
        quote!(__schema::ShardKeyField::new(&[#(#path),*]) #hashed #distinct #refers)
    });
    let unique = key.unique.is_some().then(|| quote!(.unique()));
    let shards = key.shards.as_ref().map(|shards| {
        let shards = number(shards.value);
        quote!(.shards(#shards))
    });
    let chunks = key.chunks.as_ref().map(|chunks| {
        let chunks = number(chunks.value);
        quote!(.chunks(#chunks))
    });
    let workload = key.workload.as_ref().map(|Workload { inserts, updates, queries }| {
        quote!(.workload(__schema::Workload::new(#inserts, #updates, #queries)))
    });
    let allows = (!key.allows.is_empty()).then(|| {
        let allows = expand_allows(&key.allows);
        quote!(.allows(#allows))
    });
    Some(quote! {
        const SHARD_KEY: ::core::option::Option<&'static __schema::ShardKeyDefinition> = ::core::option::Option::Some(
            &__schema::ShardKeyDefinition::new(&[#(#fields),*]) #unique #shards #chunks #workload #allows
        );
    })
}

/// Writes `impl LogMsg { pub fn by_shard_key(host: .., time: ..) -> Filter<Self> { .. } }`, when the type of each field
/// is known; nothing for a key inside of a struct, and nothing for a key that is the `_id`.
pub(super) fn expand_filter(model: &Model) -> Option<TokenStream> {
    // Another method with this name is a mistake, and replaces the filter.
    let is_free = !model.clashes().iter().any(|clash| clash.method.name == BY_SHARD_KEY);
    let fields = model.by_shard_key().filter(|_| is_free)?;
    let name = &model.record.ident;
    let arguments = fields.iter().map(|field| {
        let (ident, ty) = (&field.ident, expand_value_of(model, field));
        let taken = over(&field.ty, quote!(impl __schema::IntoValue<#ty>));
        quote!(#ident: #taken)
    });
    let conditions = fields.iter().map(|field| {
        let ident = &field.ident;
        quote!(Self::F.#ident.eq(#ident))
    });
    let visibility = &model.record.visibility;
    Some(quote! {
        #[allow(dead_code, private_bounds, private_interfaces, unreachable_pub)]
        impl #name {
            /// Selects the documents of one shard key. A write of one document needs this filter beside further
            /// conditions.
            #visibility fn by_shard_key(#(#arguments),*) -> __schema::Filter<Self> {
                __schema::Filter::all_of([#(#conditions),*])
            }
        }
    })
}

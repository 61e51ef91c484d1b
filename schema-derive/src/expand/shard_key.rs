//! The shard key of a model, as `const` data.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::definition::expand_allows;
use crate::model::{Model, Number, Workload};

/// `const SHARD_KEY: .. = Some(&..);` of a model; nothing where it has none.
pub(super) fn expand_shard_key(model: &Model) -> Option<TokenStream> {
    let key = model.shard_key.as_ref()?;
    let fields = key.fields.iter().map(|field| {
        let path = &field.path;
        let hashed = field.hashed.then(|| quote!(.hashed()));
        let distinct = field.distinct.as_ref().map(|values| {
            let values = number(values);
            quote!(.distinct(#values))
        });
        let refers = field.refers.then(|| quote!(.refers()));
        quote!(__schema::ShardKeyField::new(&[#(#path),*]) #hashed #distinct #refers)
    });
    let unique = key.unique.is_some().then(|| quote!(.unique()));
    let shards = key.shards.as_ref().map(|shards| {
        let shards = number(shards);
        quote!(.shards(#shards))
    });
    let chunks = key.chunks.as_ref().map(|chunks| {
        let chunks = number(chunks);
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

fn number(number: &Number) -> Literal {
    Literal::u64_unsuffixed(number.value)
}

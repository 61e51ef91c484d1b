//! Derive macros of `schema-runtime`. The runtime crate re-exports the macros; the manual is the documentation of the
//! runtime crate.
//!
//! The way of a struct: `pipeline` reads tokens with `parse`, makes the `model` with `lower`, judges the model with
//! `rules` and writes code with `expand`. `expand` cannot fail.

use proc_macro::TokenStream;

mod attributes;
mod errors;
mod expand;
mod lower;
mod model;
mod parse;
mod pipeline;
mod rules;
mod runtime;
#[cfg(test)]
mod tests;
mod words;

// Each derive knows `serde`, so that a struct without serde's own derives gives an error about the missing derives
// alone.

/// Derives a model: a struct that has a collection. See `schema_runtime::Model`.
#[proc_macro_derive(
    Model,
    attributes(
        model,
        inverse,
        query,
        index,
        search_index,
        vector_index,
        shard_key,
        embed,
        projection,
        patch,
        relation,
        reference,
        bound,
        opaque,
        stored_as,
        version,
        created_at,
        updated_at,
        unversioned,
        denormalize,
        copied_to,
        changes,
        subset,
        computed,
        history,
        slug,
        tree,
        json,
        auto,
        default,
        extra,
        hidden,
        check,
        immutable,
        serde
    )
)]
pub fn derive_model(input: TokenStream) -> TokenStream {
    runtime::derive(input.into(), pipeline::derive_model).into()
}

/// Derives a type that is stored inside a model: a struct, a unit enum or a newtype. See `schema_runtime::Embed`.
#[proc_macro_derive(
    Embed,
    attributes(
        model,
        inverse,
        query,
        index,
        search_index,
        vector_index,
        shard_key,
        embed,
        projection,
        patch,
        relation,
        reference,
        bound,
        opaque,
        stored_as,
        version,
        created_at,
        updated_at,
        unversioned,
        denormalize,
        copied_to,
        changes,
        subset,
        computed,
        history,
        slug,
        tree,
        json,
        auto,
        default,
        extra,
        hidden,
        check,
        immutable,
        serde
    )
)]
pub fn derive_embed(input: TokenStream) -> TokenStream {
    runtime::derive(input.into(), pipeline::derive_embed).into()
}

/// Derives a checked partial view of a model. See `schema_runtime::Projection`.
#[proc_macro_derive(
    Projection,
    attributes(
        model,
        inverse,
        query,
        index,
        search_index,
        vector_index,
        shard_key,
        embed,
        projection,
        patch,
        relation,
        reference,
        bound,
        opaque,
        stored_as,
        version,
        created_at,
        updated_at,
        unversioned,
        denormalize,
        copied_to,
        changes,
        subset,
        computed,
        history,
        slug,
        tree,
        json,
        auto,
        default,
        extra,
        hidden,
        check,
        immutable,
        serde
    )
)]
pub fn derive_projection(input: TokenStream) -> TokenStream {
    runtime::derive(input.into(), pipeline::derive_projection).into()
}

/// Derives a struct of optional changes of a model. See `schema_runtime::Patch`.
#[proc_macro_derive(
    Patch,
    attributes(
        model,
        inverse,
        query,
        index,
        search_index,
        vector_index,
        shard_key,
        embed,
        projection,
        patch,
        relation,
        reference,
        bound,
        opaque,
        stored_as,
        version,
        created_at,
        updated_at,
        unversioned,
        denormalize,
        copied_to,
        changes,
        subset,
        computed,
        history,
        slug,
        tree,
        json,
        auto,
        default,
        extra,
        hidden,
        check,
        immutable,
        serde
    )
)]
pub fn derive_patch(input: TokenStream) -> TokenStream {
    runtime::derive(input.into(), pipeline::derive_patch).into()
}

/// Derives the result of an aggregation: the keys and the values of each group. See `schema_runtime::Aggregate`.
#[proc_macro_derive(
    Aggregate,
    attributes(
        aggregate,
        count,
        count_distinct,
        sum,
        avg,
        min,
        max,
        std_dev,
        first,
        last,
        top,
        collect,
        any,
        all,
        lookup,
        serde
    )
)]
pub fn derive_aggregate(input: TokenStream) -> TokenStream {
    runtime::derive(input.into(), pipeline::derive_aggregate).into()
}

/// Derives a page of documents with the numbers beside the page. See `schema_runtime::Facets`.
#[proc_macro_derive(Facets, attributes(facets, page, count_by, ranges, count, sum, avg, min, max, serde))]
pub fn derive_facets(input: TokenStream) -> TokenStream {
    runtime::derive(input.into(), pipeline::derive_facets).into()
}

/// Collects the models of an application, behind the path of the runtime crate:
/// `schema![::schema_runtime; Person, Part]`. Users call `schema_runtime::schema!`; the runtime macro writes the path.
#[proc_macro]
pub fn schema(input: TokenStream) -> TokenStream {
    runtime::schema(input.into(), pipeline::schema).into()
}

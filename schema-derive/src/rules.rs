//! Rules that the tokens of an item decide, with a file for each rule. Rules that need a field's real type or a second
//! struct are in the runtime's `checks`.

mod aggregates;
mod buckets;
mod copies;
mod documents;
mod fields;
mod indexes;
mod relations;
mod shard_key;

use crate::{
    errors::Errors,
    model::{Embed, Model, Projection, Record, Tagged, aggregate::Aggregate, facets::Facets, patch::Patch},
};
use aggregates::{aggregate_bound, aggregate_children, aggregate_field, aggregate_fill, aggregate_top, facet_limit};
use buckets::{bucket_copy, bucket_operation, bucket_order, bucket_size, read_only};
use copies::{copy_of_copy, transaction_fan_out};
use documents::{
    collection_kind, collection_name, collection_options, document_rule, document_too_deep, embedded_array_too_large,
    extra_fields, reference_array_too_large, scalar_array_too_large, time_series_field, unbounded_embedded_array,
    view_pipeline,
};
use fields::{
    field_name, generic_model, hidden_field, history_keep, id_array, id_missing, immutable_field, json_name,
    managed_field, new_value, patch_field, reserved_field, slug_source, unknown_field, variant_name,
};
use indexes::{
    hashed_index, hidden_index, index_collation, index_name, plane_index, query_hint, redundant_index,
    search_definition, text_index, too_many_indexes, ttl_field, unused_index, wildcard_index,
};
use relations::{embed_favored, storage_mismatch, tree_depth, tree_kept};
use shard_key::{shard_key_field, shard_key_type, shard_key_unique};

/// The rules of every struct with fields.
const OF_RECORDS: [fn(&Record, &Errors); 15] = [
    storage_mismatch::enforce,
    embed_favored::enforce,
    id_array::enforce,
    unbounded_embedded_array::enforce,
    embedded_array_too_large::enforce,
    reference_array_too_large::enforce,
    scalar_array_too_large::enforce,
    document_too_deep::enforce,
    unknown_field::enforce,
    copy_of_copy::enforce,
    reserved_field::enforce,
    transaction_fan_out::enforce,
    history_keep::enforce,
    json_name::enforce,
    hidden_field::enforce_types,
];

/// The rules of models alone.
const OF_MODELS: [fn(&Model, &Errors); 38] = [
    generic_model::enforce,
    collection_name::enforce,
    id_missing::enforce,
    collection_options::enforce,
    collection_kind::enforce,
    time_series_field::enforce,
    view_pipeline::enforce,
    managed_field::enforce,
    new_value::enforce,
    read_only::enforce,
    field_name::enforce,
    redundant_index::enforce,
    index_name::enforce,
    index_collation::enforce,
    query_hint::enforce,
    unused_index::enforce,
    too_many_indexes::enforce,
    ttl_field::enforce,
    hashed_index::enforce,
    hidden_index::enforce,
    text_index::enforce,
    wildcard_index::enforce,
    plane_index::enforce,
    search_definition::enforce,
    shard_key_field::enforce,
    shard_key_type::enforce,
    shard_key_unique::enforce,
    slug_source::enforce,
    tree_depth::enforce,
    tree_kept::enforce,
    bucket_size::enforce,
    bucket_operation::enforce,
    bucket_order::enforce,
    bucket_copy::enforce,
    extra_fields::enforce,
    hidden_field::enforce,
    immutable_field::enforce,
    document_rule::enforce,
];

pub(crate) fn enforce_model(model: &Model, errors: &Errors) {
    match &model.tagged {
        Some(tagged) => {
            enforce_tagged(tagged, errors);
            variant_name::enforce_views(tagged, errors);
        }
        None => OF_RECORDS.iter().for_each(|enforce| enforce(&model.record, errors)),
    }
    OF_MODELS.iter().for_each(|enforce| enforce(model, errors));
}

pub(crate) fn enforce_embed(embed: &Embed, errors: &Errors) {
    if let Embed::Tagged(tagged) = embed {
        enforce_tagged(tagged, errors);
    }
    if let Embed::Enum { variants, .. } = embed {
        variant_name::enforce_names(variants, errors);
    }
    if let Embed::Struct(record) = embed {
        OF_RECORDS.iter().for_each(|enforce| enforce(record, errors));
        field_name::enforce_names(record, errors);
        generic_model::enforce_copies(record, errors);
    }
}

pub(crate) fn enforce_projection(projection: &Projection, errors: &Errors) {
    hidden_field::enforce_types(&projection.record, errors);
}

pub(crate) fn enforce_patch(patch: &Patch, errors: &Errors) {
    patch_field::enforce(patch, errors);
}

/// Judges each variant as a struct.
fn enforce_tagged(tagged: &Tagged, errors: &Errors) {
    for record in tagged.records() {
        OF_RECORDS.iter().for_each(|enforce| enforce(record, errors));
        field_name::enforce_names(record, errors);
    }
    field_name::enforce_tag(tagged, errors);
    json_name::enforce_tag(tagged, errors);
    variant_name::enforce(tagged, errors);
}

/// The rules of aggregations.
const OF_AGGREGATES: [fn(&Aggregate, &Errors); 5] = [
    aggregate_field::enforce,
    aggregate_children::enforce,
    aggregate_fill::enforce,
    aggregate_bound::enforce,
    aggregate_top::enforce,
];

pub(crate) fn enforce_aggregate(aggregate: &Aggregate, errors: &Errors) {
    OF_AGGREGATES.iter().for_each(|enforce| enforce(aggregate, errors));
}

pub(crate) fn enforce_facets(facets: &Facets, errors: &Errors) {
    aggregate_field::enforce_facets(facets, errors);
    facet_limit::enforce(facets, errors);
}

//! Rules that need a second struct or the real type behind a name: `const` functions that derived code calls from a
//! `const _`, spanned on the user's own tokens. Each rule has a file; this file lists the rules that judge each part of
//! a definition.

mod aggregates;
mod buckets;
mod copies;
mod documents;
mod fields;
mod indexes;
mod relations;
mod rollups;
mod schema_index;
mod shard_key;

pub use aggregates::{
    aggregate_children::{
        aggregate_children, aggregate_children_order, aggregate_children_type, aggregate_children_value,
        aggregate_parent, aggregate_parent_type,
    },
    aggregate_kept::aggregate_kept,
    aggregate_key, aggregate_key_type, aggregate_looked_up, aggregate_merge, aggregate_order, aggregate_unwound,
    aggregate_value, aggregate_value_type,
    facets::{facet_order, facet_page, facet_source, facet_type, facet_value, facet_value_type},
};
pub use buckets::bucket_copy::bucket_copies;
pub use buckets::bucket_operation::migration;
pub use buckets::bucket_order::{bucket_by, bucket_order};
pub use buckets::bucket_size::bucket_size;
pub use copies::copy::{copied_field, copied_to, held_copies, held_copy, strict_holder};
pub use documents::collation_id::collation_id;
pub use documents::collection_kind::collection_kind;
pub use documents::collection_options::clustered_ttl;
pub use documents::document_rule::document_rule;
pub use documents::time_series_field::time_series_time;
pub use documents::view_pipeline::{
    view_clause, view_field, view_flat_field, view_flat_value, view_groups, view_key, view_renamed_field,
    view_renamed_value, view_source, view_value,
};
pub use fields::history_type::{history_field, history_interval, history_order};
pub use fields::patch_null::{NoSerde, Serde, patch_null};
pub use fields::slug_source::slug_source;
pub use fields::stored_type::{stored_field, stored_type};
pub use fields::variant_type::{variant_field, variant_type};
pub use indexes::index_collation::collated_pages;
pub use indexes::parallel_arrays::parallel_arrays;
pub use indexes::query_type::{query_condition, query_order};
pub use indexes::search_definition::{search_field, vector_field, vector_filter};
pub use indexes::text_index::text_language;
pub use indexes::unique_optional::unique_optional;
pub use indexes::wildcard_index::wildcard_path;
pub use relations::delete_rule::{inverse_on_delete, mirror_on_delete};
pub use relations::inverse_disagrees::{inverse_field, inverse_named, mirror_field, mirror_named};
pub use relations::relation_balance::inverse_at_most;
pub use relations::tree_id::tree_id;
pub use relations::tree_parent::tree_field;
pub use relations::two_way_undeclared::undeclared;
pub use rollups::rollup_disagrees::{
    rollup_count, rollup_elements, rollup_order, rollup_relation, rollup_source, rollup_value,
};
pub use schema_index::SchemaIndex;
pub use shard_key::judge::{judge_shard_key, shard_key, shard_key_field};

use crate::{
    definition::{Direction, FieldDefinition, IndexKind, Kind, Literal, Shape, each},
    field::{Field, Record},
    model::{Model, Projection},
};
use copies::copies_of_most;
use documents::{
    collection_kind, collection_name, document_too_deep, document_too_large, scalar_array_too_large,
    unbounded_embedded_array,
};
use fields::{
    check_literal, check_type, field_type, flat_field, hidden_field, id_array, id_missing, immutable_field,
    reserved_field, slug_source, timestamp_type, unknown_field, version_type,
};
use indexes::{hashed_index, keyset_order, plane_index, text_index, ttl_field, unindexed_reference, wildcard_index};
use relations::{delete_rule, embedded_model, incomplete_schema, reference_cycle, storage_mismatch};
use rollups::rollup_of_expiring;

/// Judges field number `at` of `R`, without an attribute.
#[track_caller]
pub const fn field_type<R: Record>(at: usize) {
    judge(R::STRUCT, &R::FIELDS[at]);
}

/// Judges a field with `#[version]`, of the type `T`.
#[track_caller]
pub const fn version_field<R: Record, T>(at: usize) {
    judge(R::STRUCT, &R::FIELDS[at]);
    version_type::enforce(&R::FIELDS[at], size_of::<T>());
}

/// Judges a field with `#[created_at]` or `#[updated_at]`.
#[track_caller]
pub const fn timestamp_field<R: Record>(at: usize) {
    judge(R::STRUCT, &R::FIELDS[at]);
    timestamp_type::enforce(&R::FIELDS[at]);
}

/// Judges the `_id`.
#[track_caller]
pub const fn id_type<R: Record>(at: usize) {
    id_array::enforce(&R::FIELDS[at]);
    id_missing::enforce(&R::FIELDS[at]);
    judge(R::STRUCT, &R::FIELDS[at]);
}

/// Requires that a field with `#[reference(..)]` refers to a model `M`.
pub const fn dangling_reference<M: Model>() {}

/// Judges a field with `#[bound(max_items = N)]`.
#[track_caller]
pub const fn bounded_collection<R: Record>(at: usize) {
    let field = &R::FIELDS[at];
    field_type::enforce_collection(field);
    judge(R::STRUCT, field);
    scalar_array_too_large::enforce(field);
}

/// Judges a field with `#[bound(max_len = N)]`.
#[track_caller]
pub const fn bounded_string<R: Record>(at: usize) {
    let field = &R::FIELDS[at];
    judge(R::STRUCT, field);
    slug_source::enforce_text(field);
    field_type::enforce_string(field.rust_name, &field.shape);
}

/// Judges a field with `#[bound(max_items = N, max_len = M)]`.
#[track_caller]
pub const fn bounded_strings<R: Record>(at: usize) {
    bounded_collection::<R>(at);
    let field = &R::FIELDS[at];
    field_type::enforce_string(field.rust_name, &field.shape.item());
}

/// Judges a field with `#[bound(max_bytes = N)]`.
#[track_caller]
pub const fn bounded_raw<R: Record>(at: usize) {
    let field = &R::FIELDS[at];
    judge(R::STRUCT, field);
    field_type::enforce_raw(field.rust_name, &field.shape);
}

/// Judges a field with `#[bound(max_items = N, max_bytes = M)]`.
#[track_caller]
pub const fn bounded_raws<R: Record>(at: usize) {
    bounded_collection::<R>(at);
    let field = &R::FIELDS[at];
    field_type::enforce_raw(field.rust_name, &field.shape.item());
}

/// Judges a field with `#[subset(..)]`.
#[track_caller]
pub const fn subset_field<R: Record>(at: usize) {
    field_type::enforce_one_null(&R::FIELDS[at]);
    unbounded_embedded_array::enforce(R::STRUCT, &R::FIELDS[at]);
}

/// Judges a field with `#[relation(one_to_one, embed)]`.
#[track_caller]
pub const fn embedded_struct<R: Record>(at: usize) {
    judge(R::STRUCT, &R::FIELDS[at]);
    storage_mismatch::enforce_embedded_struct(&R::FIELDS[at]);
}

/// Judges a field with `#[relation(one_to_few, embed, max = N)]`.
#[track_caller]
pub const fn embedded_list<R: Record>(at: usize) {
    judge(R::STRUCT, &R::FIELDS[at]);
    storage_mismatch::enforce_embedded_list(&R::FIELDS[at]);
}

/// Judges a field with `#[relation(.., child_refs, max = N)]`.
#[track_caller]
pub const fn reference_list<M: Model>(at: usize) {
    judge(M::STRUCT, &M::FIELDS[at]);
    storage_mismatch::enforce_reference_list(&M::FIELDS[at]);
    storage_mismatch::enforce_linked_list(M::RELATIONS, &M::FIELDS[at]);
    unknown_field::enforce_without_by(M::RELATIONS, &M::FIELDS[at]);
}

/// Judges a field with `#[relation(.., parent_ref)]`.
#[track_caller]
pub const fn single_reference<M: Model>(at: usize) {
    collection_kind::enforce_reference(&M::FIELDS[at]);
    storage_mismatch::enforce_single_reference(&M::FIELDS[at]);
    unknown_field::enforce_without_by(M::RELATIONS, &M::FIELDS[at]);
}

/// Judges the `by` of the relation in field number `at`.
#[track_caller]
pub const fn relation_by<M: Model>(at: usize) {
    unknown_field::enforce_by(M::RELATIONS, &M::FIELDS[at]);
}

/// Judges one rule of field number `at`: of the rules about a collection (0) or about values (1).
#[track_caller]
pub const fn field_rule<R: Record>(at: usize, list: usize, number: usize) {
    let field = &R::FIELDS[at];
    judge_rule(field.rust_name, &field.shape, list, number);
}

/// Judges one rule of the newtype `T` of this name.
#[track_caller]
pub const fn type_rule<T: Field>(name: &str, list: usize, number: usize) {
    judge_rule(name, &T::SHAPE, list, number);
}

/// Judges the literal of `#[default(..)]` of field number `at`.
#[track_caller]
pub const fn default_value<R: Record>(at: usize, value: Literal) {
    let field = &R::FIELDS[at];
    check_literal::enforce_default(field.rust_name, &field.shape, value);
}

#[track_caller]
const fn judge_rule(name: &str, shape: &Shape, list: usize, number: usize) {
    let is_of_items = list == 1 && shape.is_collection();
    let shape = if is_of_items { shape.item() } else { *shape };
    let own = shape.rules.own(list);
    // A mistake in the type has a single message.
    let mut at = 0;
    while at < number {
        if !check_type::fits(&shape, &own[at]) {
            return;
        }
        at += 1;
    }
    check_type::enforce(name, &shape, &own[number]);
    check_literal::enforce(name, &shape, &own[number]);
}

/// Applies the rules of every stored field.
#[track_caller]
const fn judge(owner: &str, field: &FieldDefinition) {
    field_type::enforce_one_null(field);
    collection_kind::enforce_reference(field);
    field_type::enforce_form(field);
    immutable_field::enforce(field);
    unbounded_embedded_array::enforce(owner, field);
    embedded_model::enforce(owner, field);
}

/// Judges a whole model.
#[track_caller]
pub const fn document_size<M: Model>() {
    document_too_deep::enforce(M::DEFINITION.stored());
    document_too_large::enforce(M::DEFINITION.stored());
    reserved_field::enforce(M::DEFINITION);
}

/// Judges the flat field `name` of `R`, of the type `T`. A generic struct is judged here.
#[track_caller]
pub const fn flat_field<R: Record, T: Field>(name: &'static str) {
    let shape = T::SHAPE;
    flat_field::enforce(R::STRUCT, R::FIELDS, name, &shape);
    if let Kind::Document { name, fields, judged: false, .. } = shape.kind {
        each!(for field in fields {
            judge(name, field);
        });
    }
}

/// Judges the flat field `name` of the model `M`, of the type `T`.
#[track_caller]
pub const fn flat_in_model<M: Model, T: Field>(name: &'static str) {
    flat_field::<M, T>(name);
    flat_field::enforce_reserved(M::DEFINITION, name);
}

/// Judges the flat field `name` of a projection, of the type `T`.
#[track_caller]
pub const fn projected_flat<P: Projection, T: Field>(name: &'static str) {
    flat_field::enforce(P::STRUCT, P::FIELDS, name, &T::SHAPE);
    let mut at = 0;
    while at < P::FIELDS.len() {
        if flat_field::is_of(&P::FIELDS[at], name) {
            projection_field::<P>(at);
        }
        at += 1;
    }
}

/// Judges a key of an order.
#[track_caller]
pub const fn order_field<M: Model>(field: &str) {
    let path = unknown_field::enforce(M::DEFINITION, &[field]);
    hidden_field::enforce_order(M::DEFINITION, field);
    keyset_order::enforce(M::DEFINITION, field, &path);
}

/// Judges a key of an index.
#[track_caller]
pub const fn index_key<M: Model>(index: usize, key: usize) {
    let index = &M::DEFINITION.all_indexes[index];
    let key = &index.keys[key];
    let path = unknown_field::enforce_in(M::DEFINITION, M::DEFINITION.fields_of(index, key.path), key.path);
    if index.expire_after_seconds.is_some() {
        ttl_field::enforce(key, &path);
        rollup_of_expiring::enforce(M::DEFINITION);
    }
    match key.direction {
        Direction::Hashed => hashed_index::enforce(key, &path),
        Direction::Sphere => field_type::enforce_geometry(key, &path),
        Direction::Text => text_index::enforce(key, &path),
        Direction::Wildcard => wildcard_index::enforce(key, &path),
        Direction::Plane => plane_index::enforce(key, &path),
        Direction::Ascending | Direction::Descending => {
            if let IndexKind::Text(_) = index.kind {
                text_index::enforce_beside(key, &path);
            }
        }
    }
}

/// Judges a clause of a partial index.
#[track_caller]
pub const fn partial_clause<M: Model>(index: usize, clause: usize) {
    let index = &M::DEFINITION.all_indexes[index];
    let clause = &index.partial[clause];
    let path = unknown_field::enforce_in(M::DEFINITION, M::DEFINITION.fields_of(index, clause.path), clause.path);
    field_type::enforce_literal(clause, &path);
}

/// Judges model number `at` of a schema.
#[track_caller]
pub const fn schema_model<const N: usize>(schema: &SchemaIndex<N>, at: usize) {
    incomplete_schema::enforce(schema, at);
    delete_rule::enforce_schema(schema, at);
    collection_name::enforce(schema, at);
    reference_cycle::enforce(schema, at);
    copies_of_most::enforce(schema, at);
    unindexed_reference::enforce(schema, at);
}

/// Judges a field of a projection.
#[track_caller]
pub const fn projection_field<P: Projection>(field: usize) {
    let field = &P::FIELDS[field];
    let model = <P::Of as Model>::DEFINITION;
    if model.whole {
        let source = unknown_field::enforce_projection(model, P::STRUCT, field);
        hidden_field::enforce_projection(P::STRUCT, field, source);
        field_type::enforce_projection(model, field, source);
    }
}

//! The rules that judge a shard key: first each field by itself, then the key beside the queries and the relations of
//! its model.

use super::{
    shard_key_array, shard_key_copies, shard_key_hot_read, shard_key_locality, shard_key_low_cardinality,
    shard_key_monotonic, shard_key_optional, shard_key_scatter, shard_key_type,
};
use crate::{
    checks::fields::unknown_field,
    definition::{ModelDefinition, each, resolve},
    model::Model,
};

/// Judges field number `at` of the shard key of `M`.
#[track_caller]
pub const fn shard_key_field<M: Model>(at: usize) {
    field_of(M::DEFINITION, at);
}

/// Judges field number `at` of the shard key of a model.
#[track_caller]
const fn field_of(model: &ModelDefinition, at: usize) {
    let Some(key) = model.shard_key else { return };
    let field = &key.fields[at];
    let path = unknown_field::enforce(model, field.path);
    shard_key_array::enforce(model, field, &path);
    shard_key_optional::enforce(model, field, &path);
    shard_key_type::enforce(model, field, &path);
}

/// Judges the shard key of `M`, whose fields are in order.
#[track_caller]
pub const fn shard_key<M: Model>() {
    whole(M::DEFINITION);
}

/// Judges the shard key of a model at run time, as the compiler does: panics with the message of the first broken rule.
/// For tests with definitions that no derive made.
pub fn judge_shard_key(model: &'static ModelDefinition) {
    let fields = model.shard_key.map_or(0, |key| key.fields.len());
    (0..fields).for_each(|at| field_of(model, at));
    whole(model);
}

/// Judges the shard key of a model, whose fields are sound.
#[track_caller]
const fn whole(model: &ModelDefinition) {
    let Some(key) = model.shard_key else { return };
    each!(for field in key.fields {
        match resolve(model.fields, field.path) {
            Some(path) if !shard_key_array::is_broken(&path) && !path.optional => {}
            // The rules of the field have reported the mistake already.
            _ => return,
        }
    });
    shard_key_low_cardinality::enforce(model, key);
    shard_key_monotonic::enforce(model, key);
    shard_key_hot_read::enforce(model, key);
    shard_key_scatter::enforce(model, key);
    shard_key_locality::enforce(model, key);
    shard_key_copies::enforce(model, key);
}

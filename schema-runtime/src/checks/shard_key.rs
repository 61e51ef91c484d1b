//! Which rules judge a shard key: each field by itself, then the key beside the queries and the relations of its model.

use super::{
    shard_key_array, shard_key_copies, shard_key_hot_read, shard_key_locality, shard_key_low_cardinality,
    shard_key_monotonic, shard_key_optional, shard_key_scatter, shard_key_type, unknown_field,
};
use crate::{definition::resolve, model::Model};

/// Field number `at` of the shard key of `M`.
#[track_caller]
pub const fn shard_key_field<M: Model>(at: usize) {
    let Some(key) = M::SHARD_KEY else { return };
    let (model, field) = (M::DEFINITION, &key.fields[at]);
    let path = unknown_field::enforce(model, field.path);
    shard_key_array::enforce(model, field, &path);
    shard_key_optional::enforce(model, field, &path);
    shard_key_type::enforce(field, &path);
}

/// The shard key of `M`, whose fields are in order.
#[track_caller]
pub const fn shard_key<M: Model>() {
    let (Some(key), model) = (M::SHARD_KEY, M::DEFINITION) else { return };
    let mut at = 0;
    while at < key.fields.len() {
        match resolve(model.fields, key.fields[at].path) {
            Some(path) if !shard_key_array::is_broken(&path) && !path.optional => {}
            // That is said already.
            _ => return,
        }
        at += 1;
    }
    shard_key_low_cardinality::enforce(model, key);
    shard_key_monotonic::enforce(model, key);
    shard_key_hot_read::enforce(model, key);
    shard_key_scatter::enforce(model, key);
    shard_key_locality::enforce(model, key);
    shard_key_copies::enforce(model, key);
}

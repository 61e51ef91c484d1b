//! Computes the steps from the shard keys of a cluster to the shard keys of the models. Pure.

use mongodb::bson::Document;

use super::{Cluster, Sharding, ShardingKind, key_of};
use crate::{
    definition::ModelDefinition,
    indexes::{Index, same_keys},
};

/// The difference between the declared and the stored shard key of a model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Compared {
    /// The shard keys are the same, or no shard key exists.
    Equal,
    /// The collection needs the given step.
    Differs(Sharding),
    /// The collection is sharded by the given key, and the model declares no shard key.
    Undeclared(Document),
    /// The model declares a shard key, and the server is no cluster.
    NoCluster,
}

/// Compares the shard key of a model with the cluster. `indexes` are the indexes of the collection.
pub(crate) fn compare(model: &ModelDefinition, indexes: &[Index], cluster: Option<&Cluster>) -> Compared {
    let Some(cluster) = cluster else {
        return if model.shard_key.is_some() { Compared::NoCluster } else { Compared::Equal };
    };
    let stored = cluster.key(model.collection);
    let Some(wanted) = model.shard_key else {
        return stored.map_or(Compared::Equal, |key| Compared::Undeclared(key.clone()));
    };
    let key = key_of(model, wanted);
    let Some(kind) = kind(stored, &key) else { return Compared::Equal };
    let conflicts = indexes.iter().filter(|index| index.unique && !keeps_unique(&index.keys, &key));
    let conflicts = conflicts.map(|index| index.name.clone()).collect();
    Compared::Differs(Sharding { kind, key, unique: wanted.unique, conflicts, values: None })
}

/// Returns the step from the stored key to the declared key; `None` for equal keys.
pub(crate) fn kind(stored: Option<&Document>, key: &Document) -> Option<ShardingKind> {
    match stored {
        None => Some(ShardingKind::Shard),
        Some(stored) if same_keys(stored, key) => None,
        Some(stored) if begins(stored, key) => Some(ShardingKind::Refine { old: stored.clone() }),
        Some(stored) => Some(ShardingKind::Reshard { old: stored.clone() }),
    }
}

/// Returns whether the fields of `first` are the first fields of `key`, in the same order.
fn begins(first: &Document, key: &Document) -> bool {
    let head: Document = key.iter().take(first.len()).map(|(name, kind)| (name.clone(), kind.clone())).collect();
    first.len() < key.len() && same_keys(first, &head)
}

/// Returns whether all documents with the same key of an index are on one shard: the index begins with the whole shard
/// key, and the shard key is not hashed.
fn keeps_unique(index: &Document, key: &Document) -> bool {
    let is_hashed = key.values().any(|kind| kind.as_str().is_some());
    !is_hashed && index.len() >= key.len() && index.keys().zip(key.keys()).all(|(index, key)| index == key)
}

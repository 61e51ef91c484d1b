//! From the shard keys of models and what a cluster has to the steps between them. Pure.

use mongodb::bson::Document;

use super::{Cluster, Sharding, ShardingKind, key_of};
use crate::{
    definition::ModelDefinition,
    manage::indexes::{Index, same_keys},
};

/// What is to be done for the shard key of one model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Compared {
    /// Nothing.
    Equal,
    /// This.
    Differs(Sharding),
    /// It is sharded by this key, and the model declares none.
    Undeclared(Document),
    /// The model declares one, and the server is no cluster.
    NoCluster,
}

/// `indexes` are those that the collection has.
pub(crate) fn compare(model: &ModelDefinition, indexes: &[Index], cluster: Option<&Cluster>) -> Compared {
    let Some(cluster) = cluster else {
        return if model.shard_key.is_some() { Compared::NoCluster } else { Compared::Equal };
    };
    let stored = cluster.key(model.collection);
    let Some(wanted) = model.shard_key else {
        return stored.map_or(Compared::Equal, |key| Compared::Undeclared(key.clone()));
    };
    let key = key_of(model, wanted);
    let kind = match stored {
        None => ShardingKind::Shard,
        Some(stored) if same_keys(stored, &key) => return Compared::Equal,
        Some(stored) if begins(stored, &key) => ShardingKind::Refine { old: stored.clone() },
        Some(stored) => ShardingKind::Reshard { old: stored.clone() },
    };
    let conflicts = indexes.iter().filter(|index| index.unique && !keeps_unique(&index.keys, &key));
    let conflicts = conflicts.map(|index| index.name.clone()).collect();
    Compared::Differs(Sharding { kind, key, unique: wanted.unique, conflicts, values: None })
}

/// Whether these are the first fields of a key, in its order.
fn begins(first: &Document, key: &Document) -> bool {
    let head: Document = key.iter().take(first.len()).map(|(name, kind)| (name.clone(), kind.clone())).collect();
    first.len() < key.len() && same_keys(first, &head)
}

/// Whether documents of one key of an index are on one shard: it begins with the whole shard key, and that is not hashed.
fn keeps_unique(index: &Document, key: &Document) -> bool {
    let is_hashed = key.values().any(|kind| kind.as_str().is_some());
    !is_hashed && index.len() >= key.len() && index.keys().zip(key.keys()).all(|(index, key)| index == key)
}

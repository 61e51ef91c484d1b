//! Shard keys: declared, judged, given to the collections of a cluster.

mod keys;
mod plan;
mod refused;

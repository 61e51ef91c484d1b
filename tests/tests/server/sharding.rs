//! Shard keys: declared, judged, given to the collections of a cluster.

mod derived;
mod judged;
mod keys;
mod plan;
mod random;
mod refused;
mod writes;

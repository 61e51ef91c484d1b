//! Buckets on a server.

mod beside;
mod compact;
mod migrate;
mod models;
mod plan;
mod raced;
mod raw;
mod write;

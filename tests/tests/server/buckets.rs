//! Buckets on a server.

mod compact;
mod migrate;
mod models;
mod raw;
mod write;

//! Buckets on a server.

mod beside;
mod models;
mod plan;
mod raw;
mod write;

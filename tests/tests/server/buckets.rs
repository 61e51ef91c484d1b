//! Buckets on a server.

mod models;
mod plan;
mod raw;
mod write;

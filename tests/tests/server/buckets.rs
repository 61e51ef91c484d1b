//! Buckets on a server.

mod beside;
mod models;
mod plan;
mod raced;
mod raw;
mod write;

//! Buckets on a server.

mod models;
mod raced;
mod raw;
mod write;

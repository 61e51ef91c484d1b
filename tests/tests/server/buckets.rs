//! Buckets on a server.

mod models;
mod raw;
mod write;

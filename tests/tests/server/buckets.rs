//! Buckets on a server.

mod beside;
mod compact;
mod migrate;
mod models;
mod plan;
mod programs;
mod raced;
mod raw;
mod read;
mod write;

//! Buckets on a server.

mod beside;
mod models;
mod plan;
mod programs;
mod raced;
mod raw;
mod read;
mod write;

//! Buckets on a server.

mod beside;
mod broken;
mod compact;
mod memory;
mod migrate;
mod order;
mod plan;
mod programs;
mod raced;
mod read;
mod struct_ids;
mod write;

//! The embedded server: its topologies, where it comes from, and that it goes when its owner goes. A binary of its own:
//! these tests start servers, and kill them, by the dozen.

mod cleanup;
mod owner;
mod source;
mod topology;

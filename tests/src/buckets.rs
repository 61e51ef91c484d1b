//! Models whose values are stored in buckets, a client that writes them until it is killed, and the raw documents, judged by themselves.

#![allow(missing_docs, reason = "the fields of models say themselves what they are")]

mod models;
pub mod raw;
mod writers;

pub use models::{Comment, LinkedComment, LinkedReading, Panel, Post, Reading, comment};
pub use writers::{migrate, write};

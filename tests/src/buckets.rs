//! Models with values in buckets, a client that writes buckets until it is killed, and a check of the raw documents
//! alone.

#![allow(missing_docs, reason = "the fields of models say themselves what they are")]

mod models;
pub mod raw;
mod writers;

pub use models::{Comment, LinkedComment, LinkedReading, Panel, Post, Reading, comment};
pub use writers::{migrate, write};

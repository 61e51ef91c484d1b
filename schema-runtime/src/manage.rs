//! What is done to a whole database with its models: the plan of its collections, the plan applied, the documents verified, the
//! cost of a write.

pub mod apply;
pub mod cost;
mod indexes;
pub mod plan;
pub mod schema;
pub mod verify;

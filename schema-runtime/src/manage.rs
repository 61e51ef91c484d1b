//! What is done to a whole database with its models: the plan of its collections, the plan applied, the documents verified, the
//! cost of a write, the plans of its declared queries.

pub mod apply;
pub mod cost;
mod indexes;
pub mod plan;
pub mod queries;
pub mod schema;
pub mod verify;

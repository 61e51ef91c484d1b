//! What is done to a whole database with its models: the plan of its collections, the plan applied, the documents verified, the
//! cost of a write, the plans of its declared queries, a review of all that is declared.

pub mod apply;
pub mod cost;
mod indexes;
pub mod plan;
pub mod queries;
pub mod review;
pub mod schema;
pub mod sharding;
pub mod verify;

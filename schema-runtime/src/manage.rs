//! Operations on a whole database: plan the collections, apply the plan, verify the documents, state the cost of a write, explain the
//! declared queries, and review the schema.

pub mod apply;
pub mod cost;
mod indexes;
pub mod plan;
pub mod queries;
pub mod review;
pub mod schema;
pub mod sharding;
pub mod verify;

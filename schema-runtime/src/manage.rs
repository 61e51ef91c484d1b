//! Operations on a whole database: plan the collections, apply the plan, verify the documents, recover and repair
//! derived data, run the worker, state the cost of a write, explain the declared queries, and review the schema.

pub mod apply;
pub mod cost;
mod kinds;
pub mod plan;
pub(crate) mod queries;
pub(crate) mod recover;
pub(crate) mod repair;
pub mod review;
pub(crate) mod schema;
#[cfg(feature = "schema-file")]
pub mod schema_diff;
#[cfg(feature = "schema-file")]
pub mod schema_file;
pub(crate) mod search;
pub mod sharding;
pub(crate) mod statistics;
pub mod verify;
pub mod worker;

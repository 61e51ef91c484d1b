//! Operations on a whole database: plan the collections, apply the plan, verify the documents, recover and repair
//! derived data; run the worker, state the cost of a write, explain the declared queries, and review the schema.

pub mod apply;
pub mod check;
pub mod cost;
#[cfg(feature = "diagram")]
pub mod describe;
#[cfg(feature = "diagram")]
pub mod diagram;
pub mod fit;
mod kinds;
pub mod measure;
pub mod plan;
pub(crate) mod queries;
pub mod recompute;
pub(crate) mod recover;
pub(crate) mod repair;
pub mod review;
#[cfg(feature = "schema-file")]
pub mod saved_plan;
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

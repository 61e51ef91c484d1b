//! The shared parts of the tests: a real MongoDB server for each test binary, a database for each test, the commands
//! that went over the wire, and failures on request.
//!
//! A test that needs a server and has none fails: every function here panics with the reason.

mod atlas;
mod behind;
pub mod buckets;
pub mod copies;
pub mod delete_rules;
pub mod domain;
pub mod ends;
mod fail;
pub mod large_schemas;
pub mod links;
mod listener;
mod log;
pub mod many_collections;
mod memory;
pub mod models;
pub mod node;
pub mod process;
mod proxy;
pub mod rollups;
mod router;
pub mod scale;
mod server;
mod spans;
pub mod trees;
mod wire;
mod worker;

/// How long a test waits for an expected event before the test fails, however slow the machine is.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(600);

pub use atlas::Atlas;
pub use behind::{Ended, run_and_stop, run_behind};
pub use fail::{FailPoint, end_transactions, fail_command};
pub use log::{CommandLog, database_with_log, database_with_replies};
pub use memory::builder;
pub use proxy::{Fault, Proxy};
pub use router::{Router, router};
pub use server::{database, server};
pub use spans::{Fields, Span, Spans};
pub use worker::{RunningWorker, has_position, until};

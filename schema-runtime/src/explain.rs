//! The server's plan of a read, and the check that an index serves the read.

pub(crate) mod indexed;
mod plan;
mod problem;

use mongodb::bson::Document;

pub use problem::{ReadProblem, problems};

use crate::{error::Result, executor::Executor};

/// A read that the server can explain.
pub trait Explain: Sync {
    /// Returns the plan of the server for this read: the server's answer to `explain`, with the counts of one
    /// execution. Inside of a transaction the server explains nothing; the `explain` of such a read runs outside of the
    /// transaction.
    ///
    /// # Errors
    /// The errors of the read itself, of the server and of the network.
    fn explain(&self, db: &impl Executor) -> impl Future<Output = Result<Document>> + Send;
}

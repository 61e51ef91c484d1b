//! The server's plan of a read, and the check that an index serves the read.

pub(crate) mod indexed;
mod plan;
mod problem;

use futures_util::future::BoxFuture;
use mongodb::bson::Document;

pub(crate) use plan::Plan;
pub use problem::{ReadProblem, problems};

use crate::{error::Result, executor::Executor, mongosh::ToMongosh};

/// A read that the server can explain.
pub trait Explain: ToMongosh + Sync {
    /// Returns the plan of the server for this read: the server's answer to `explain`, with the counts of one
    /// execution. Inside of a transaction the server explains nothing; the `explain` of such a read runs outside of the
    /// transaction.
    ///
    /// # Errors
    /// The errors of the read itself, of the server and of the network.
    fn explain(&self, db: &impl Executor) -> impl Future<Output = Result<Document>> + Send {
        command(db, self.command())
    }
}

/// Returns the numbers of examined keys and documents in the server's answer to an `explain`.
#[cfg(feature = "log-values")]
pub(crate) fn examined(explained: &Document) -> (u64, u64) {
    let plan = Plan::of(explained);
    (plan.keys, plan.documents)
}

/// Explains a command.
pub(crate) fn command(db: &dyn Executor, command: Result<Document>) -> BoxFuture<'_, Result<Document>> {
    Box::pin(async move { db.context()?.explain(command?).await })
}

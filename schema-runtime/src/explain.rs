//! What the server does for a read, and whether an index serves it. Judging a plan is pure; uses `executor` and `error`.

mod plan;
mod problem;

use std::{fmt::Write, panic::Location};

use mongodb::bson::Document;

pub use problem::{ReadProblem, problems};

use self::plan::Plan;
use crate::{error::Result, executor::Executor};

/// A read that the server can explain.
pub trait Explain: Sync {
    /// What the server does for this read: its own answer to `explain`, with the counts of one execution. Inside a
    /// transaction the server explains nothing, so it is asked beside it.
    ///
    /// # Errors
    /// Those of the read itself, and of the server and the network.
    fn explain(&self, db: &impl Executor) -> impl Future<Output = Result<Document>> + Send;
}

/// What speaks against the plan of a read, by one `explain`; empty when an index serves it. See [`ReadProblem`] for the rules.
///
/// # Errors
/// Those of [`explain`](Explain::explain).
pub async fn check_indexed(query: &impl Explain, db: &impl Executor) -> Result<Vec<ReadProblem>> {
    Ok(problems(&query.explain(db).await?))
}

/// For tests: that an index serves a read. The read itself can be used afterwards.
///
/// The database should hold the indexes, by `schema.apply` or a plan, and documents like those of production: the server
/// counts what it examines.
///
/// # Panics
/// When [`check_indexed`] finds something, with all that it finds and the place of the call; and when the read fails.
#[track_caller]
pub fn assert_indexed<'a, Q: Explain, E: Executor>(query: &'a Q, db: &'a E) -> impl Future<Output = ()> + Send + 'a {
    let place = Location::caller();
    async move {
        let explained = match query.explain(db).await {
            Ok(explained) => explained,
            Err(error) => panic!("the read at {place} cannot be explained: {error}"),
        };
        let problems = problems(&explained);
        if !problems.is_empty() {
            panic!("{}", message(&Plan::of(&explained), &problems, place));
        }
    }
}

fn message(plan: &Plan, problems: &[ReadProblem], place: &Location<'_>) -> String {
    let mut message = format!("no index serves the read of `{}` at {place}:", plan.collection);
    for problem in problems {
        let _ = write!(message, "\n  - {problem}");
    }
    let _ = write!(message, "\n  the plan: {}", plan.stages.join(", "));
    message
}

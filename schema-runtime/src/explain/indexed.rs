//! The check that an index serves a read, for programs and for tests. Judging a plan is pure.

use std::{fmt::Write, panic::Location};

use super::{Explain, ReadProblem, plan::Plan, problems};
use crate::{error::Result, executor::Executor};

/// Returns the problems in the plan of a read, by one `explain`; empty when an index serves the read. See
/// [`ReadProblem`] for the rules.
///
/// # Errors
/// The errors of [`explain`](Explain::explain).
pub async fn check_indexed(query: &impl Explain, db: &impl Executor) -> Result<Vec<ReadProblem>> {
    Ok(problems(&query.explain(db).await?))
}

/// Asserts in a test that an index serves a read. The read itself can be used afterwards.
///
/// The database should hold the indexes, by `schema.apply` or a plan, and documents like the documents of production:
/// the server counts the examined keys and documents.
///
/// # Panics
/// When [`check_indexed`] finds problems, with all problems and the place of the call; and when the read fails.
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

//! Rules about values (`#[check(..)]`): the crate refuses a value before the send, and the server refuses the value
//! too, with the same typed error.

mod agree;
mod functions;
mod json;
mod models;
mod updates;
mod writes;

use schema_runtime::{FailedRule, RuleLimit, prelude::*};

/// Returns the failed rules of a refused document.
#[track_caller]
fn failures(error: &Error) -> &[FailedRule] {
    match error.cause() {
        Error::DocumentInvalid { failures, .. } => failures,
        other => panic!("{other:?}"),
    }
}

/// Requires that a single rule failed.
#[track_caller]
fn assert_failed(error: &Error, field: &str, rule: &str) {
    let [failed] = failures(error) else { panic!("{error:?}") };
    assert_eq!((failed.field.as_str(), failed.rule.as_str()), (field, rule));
}

/// Returns a limit as text: the number or the pattern, and nothing of a rule without a limit.
fn limit(failed: &FailedRule) -> String {
    failed.limit.as_ref().map(RuleLimit::to_string).unwrap_or_default()
}

//! Functions of users that judge values (`#[check(with = is_code)]`).

mod beside;
mod models;
mod writes;

use schema_runtime::{FailedRule, prelude::*};

/// Returns the path, the function and the text of each failure.
#[track_caller]
fn refusals(error: &Error) -> Vec<(&str, String, &str)> {
    let refusal = |failed: &'_ FailedRule| {
        assert_eq!(failed.rule, "with");
        let text = failed.message.as_deref().unwrap_or_default();
        assert!(failed.to_string().ends_with(text), "{failed}");
        super::limit(failed)
    };
    let failures = super::failures(error).iter();
    failures.map(|failed| (failed.field.as_str(), refusal(failed), failed.message.as_deref().unwrap_or(""))).collect()
}

/// Requires a single failure.
#[track_caller]
fn assert_refused(error: &Error, field: &str, function: &str) {
    let found = refusals(error);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].0, found[0].1.as_str()), (field, function));
}

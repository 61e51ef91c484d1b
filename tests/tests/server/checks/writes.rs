//! Whole values, and the values of updates.

use schema_runtime::{FailedRule, RuleLimit, prelude::*, schema};

use super::models::{checked, unchecked};
use crate::sent::sent;

/// Returns the failed rules of a refused document.
#[track_caller]
fn failures(error: &Error) -> &[FailedRule] {
    match error.cause() {
        Error::DocumentInvalid { collection, failures } => {
            assert_eq!(collection, "goods");
            failures
        }
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn assert_failed(error: &Error, field: &str, rule: &str, limit: f64) {
    let [failed] = failures(error) else { panic!("{error:?}") };
    let found = match &failed.limit {
        Some(RuleLimit::Integer(limit)) => *limit as f64,
        Some(RuleLimit::Double(limit)) => *limit,
        other => panic!("{other:?}"),
    };
    assert_eq!((failed.field.as_str(), failed.rule.as_str(), found), (field, rule, limit));
}

#[tokio::test]
async fn each_rule_is_held_where_no_validator_was_applied() {
    use checked::{Good, good, wrong};

    let (db, log) = schema_tests::database_with_log().await;
    Good::insert(&db, &good(1)).await.unwrap();
    for (value, field, rule, limit) in wrong(2) {
        let (result, names) = sent(&log, Good::insert(&db, &value)).await;
        assert_failed(&result.unwrap_err(), field, rule, limit);
        assert_eq!(names, [] as [&str; 0]);

        let (result, names) = sent(&log, Good::insert_many(&db, &[good(3), value.clone()])).await;
        let error = result.unwrap_err();
        assert!(matches!(error, Error::InsertMany { inserted: 0, index: Some(1), .. }), "{error}");
        assert_failed(&error, field, rule, limit);
        assert_eq!(names, [] as [&str; 0]);

        let (result, names) = sent(&log, Good::replace(&db, &Good { id: 1, ..value })).await;
        assert_failed(&result.unwrap_err(), field, rule, limit);
        assert_eq!(names, [] as [&str; 0]);
    }
    assert_eq!(Good::find(Filter::all()).fetch_all(&db).await.unwrap(), [good(1)]);
}

/// The model without rules sends a value that the model with rules refuses, and the answer of the server becomes the
/// same error.
#[tokio::test]
async fn the_server_refuses_the_same_values_with_the_same_error() {
    let (db, log) = schema_tests::database_with_log().await;
    schema![checked::Good].plan(&db).await.unwrap().apply(&db).await.unwrap();
    for (strict, (value, field, rule, limit)) in checked::wrong(1).into_iter().zip(unchecked::wrong(1)) {
        let by_crate = checked::Good::insert(&db, &strict.0).await.unwrap_err();
        let (result, names) = sent(&log, unchecked::Good::insert(&db, &value)).await;
        let by_server = result.unwrap_err();
        assert_eq!(names, ["insert"]);
        assert_failed(&by_server, field, rule, limit);
        assert_eq!(failures(&by_crate), failures(&by_server));
        assert_eq!(by_crate.to_string(), by_server.to_string());
    }
    unchecked::Good::insert(&db, &unchecked::good(1)).await.unwrap();
    let plan = schema![checked::Good].plan(&db).await.unwrap();
    assert!(plan.is_empty(), "{plan}");
}

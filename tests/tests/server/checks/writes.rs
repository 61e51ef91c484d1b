//! Whole values, on each write of whole values.

use schema_runtime::{check_stored, prelude::*, schema};

use super::{
    assert_failed, failures, limit,
    models::{checked, unchecked},
};
use crate::sent::sent;

#[tokio::test]
async fn each_rule_is_held_where_no_validator_was_applied() {
    use checked::{Good, good, wrong};

    let (db, log) = schema_tests::database_with_log().await;
    Good::insert(&db, &good(1)).await.unwrap();
    for (value, field, rule, of) in wrong(2) {
        let (result, names) = sent(&log, Good::insert(&db, &value)).await;
        let error = result.unwrap_err();
        assert_failed(&error, field, rule);
        assert_eq!(limit(&failures(&error)[0]), of);
        assert_eq!(names, [] as [&str; 0]);
        assert_failed(&check_stored(&value).unwrap_err(), field, rule);

        let (result, names) = sent(&log, Good::insert_many(&db, &[good(3), value.clone()])).await;
        let error = result.unwrap_err();
        assert!(matches!(error, Error::InsertMany { inserted: 0, index: Some(1), .. }), "{error}");
        assert_failed(&error, field, rule);
        assert_eq!(names, [] as [&str; 0]);

        let value = Good { id: 1, ..value };
        let (result, names) = sent(&log, Good::replace(&db, &value)).await;
        assert_failed(&result.unwrap_err(), field, rule);
        assert_eq!(names, [] as [&str; 0]);

        let (result, names) = sent(&log, Good::upsert(&db, &value)).await;
        assert_failed(&result.unwrap_err(), field, rule);
        assert_eq!(names, [] as [&str; 0]);

        let (result, names) = sent(&log, Good::bulk().insert(&value).execute(&db)).await;
        assert_failed(&result.unwrap_err(), field, rule);
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
    for (strict, (value, field, rule, of)) in checked::wrong(1).into_iter().zip(unchecked::wrong(1)) {
        let by_crate = checked::Good::insert(&db, &strict.0).await.unwrap_err();
        let (result, names) = sent(&log, unchecked::Good::insert(&db, &value)).await;
        let by_server = result.unwrap_err();
        assert_eq!(names, ["insert"]);
        assert_failed(&by_server, field, rule);
        assert_eq!(limit(&failures(&by_server)[0]), of);
        assert_eq!(failures(&by_crate), failures(&by_server));
        assert_eq!(by_crate.to_string(), by_server.to_string());
    }
    unchecked::Good::insert(&db, &unchecked::good(1)).await.unwrap();
    let plan = schema![checked::Good].plan(&db).await.unwrap();
    assert!(plan.is_empty(), "{plan}");
}

/// Several faults are one error, and the error has no value.
#[tokio::test]
async fn all_faults_of_a_document_are_one_error() {
    use checked::{Good, good};

    let db = schema_tests::database().await;
    let value = Good { percent: 4711, name: "much too long".to_owned(), tags: vec!["ab".to_owned(); 4], ..good(1) };
    let error = Good::insert(&db, &value).await.unwrap_err();
    let faults: Vec<_> =
        failures(&error).iter().map(|failed| (failed.field.as_str(), failed.rule.as_str(), limit(failed))).collect();
    let expected = [
        ("label", "maxLength", "8"),
        ("percent", "maximum", "100"),
        ("tags", "uniqueItems", ""),
        ("tags", "maxItems", "3"),
    ];
    assert_eq!(faults, expected.map(|(field, rule, limit)| (field, rule, limit.to_owned())));
    assert!(!error.to_string().contains("4711") && !error.to_string().contains("much too"), "{error}");

    // Exceeded bounds alone stay an error of their own.
    let value = Good { name: "much too long".to_owned(), ..good(1) };
    assert!(matches!(Good::insert(&db, &value).await.unwrap_err(), Error::BoundExceeded { .. }));
}

/// A plan counts the stored documents that a new rule refuses.
#[tokio::test]
async fn a_plan_counts_the_documents_that_a_new_rule_refuses() {
    let db = schema_tests::database().await;
    unchecked::Good::insert(&db, &unchecked::good(1)).await.unwrap();
    let wrong: Vec<_> =
        unchecked::wrong(2).into_iter().zip(2..).map(|((value, ..), id)| unchecked::Good { id, ..value }).collect();
    unchecked::Good::insert_many(&db, &wrong).await.unwrap();
    let plan = schema![checked::Good].plan(&db).await.unwrap().to_string();
    assert!(plan.contains(&wrong.len().to_string()), "{plan}");
}

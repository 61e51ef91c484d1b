//! Groups that are not stored: refused calls, refused documents, and commands that fail.

use mongodb::bson::{Document, doc};
use schema_runtime::{AggregateError, ErrorKind, definition::CollationDefinition, prelude::*, transaction};
use schema_tests::{database, database_with_log, fail_command};

use super::{Sale, sale};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "totals")]
struct Total {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    customer: String,
    #[check(min = 0)]
    revenue: i64,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Sale, by(customer), into = Total)]
struct OfCustomer {
    customer: String,
    #[sum(total)]
    revenue: i64,
}

async fn planned(db: &Database) {
    schema![Total].plan(db).await.unwrap().apply(db).await.unwrap();
}

async fn totals(db: &Database) -> Vec<Total> {
    Total::find(Filter::all()).sort(Total::F.customer.asc()).fetch_all(db).await.unwrap()
}

#[tokio::test]
async fn a_transaction_and_a_collation_are_refused_before_a_command() {
    let (db, log) = database_with_log().await;
    planned(&db).await;
    Sale::insert(&db, &sale(1, "ada", 5, 1)).await.unwrap();
    log.clear();
    let inside = transaction(&db, |tx| async move { Sale::aggregate::<OfCustomer>().merge(&tx).await });
    let error = inside.await.unwrap_err();
    assert!(matches!(error, Error::Query { .. }), "{error:?}");
    let insensitive = Sale::aggregate::<OfCustomer>().case_insensitive().merge(&db).await;
    assert!(matches!(insensitive, Err(Error::Query { .. })), "{insensitive:?}");
    let options = schema_runtime::OperationOptions::new().case_insensitive();
    let insensitive = Sale::aggregate::<OfCustomer>().merge(&db.with(options)).await;
    assert!(matches!(insensitive, Err(Error::Query { .. })), "{insensitive:?}");
    assert!(log.named("aggregate").is_empty());
    Sale::aggregate::<OfCustomer>().collation(CollationDefinition::SIMPLE).merge(&db).await.unwrap();
    assert_eq!(totals(&db).await.len(), 1);
}

#[tokio::test]
async fn the_validator_of_the_report_refuses_a_group() {
    let db = database().await;
    planned(&db).await;
    Sale::insert_many(&db, [sale(1, "ada", 5, 1), sale(2, "bo", -5, 1)]).await.unwrap();
    let refused = Sale::aggregate::<OfCustomer>().merge(&db).await.unwrap_err();
    assert!(matches!(&refused, Error::DocumentInvalid { collection, .. } if collection == "totals"), "{refused:?}");
    assert!(!refused.to_string().contains("-5"), "{refused}");
    assert!(totals(&db).await.iter().all(|total| total.customer == "ada"));
    // The same call completes the work.
    Sale::insert(&db, &sale(3, "bo", 6, 1)).await.unwrap();
    Sale::aggregate::<OfCustomer>().merge(&db).await.unwrap();
    assert_eq!(totals(&db).await.iter().map(|total| total.revenue).collect::<Vec<_>>(), [5, 1]);
}

#[tokio::test]
async fn a_sum_over_64_bits_is_not_stored() {
    let db = database().await;
    planned(&db).await;
    Sale::insert_many(&db, [sale(1, "ada", i64::MAX, 1), sale(2, "ada", 5, 1)]).await.unwrap();
    let error = Sale::aggregate::<OfCustomer>().merge(&db).await.unwrap_err();
    let is_overflow = matches!(
        &error,
        Error::Aggregate(AggregateError::Overflow { model: "OfCustomer", field }) if field == "revenue"
    );
    assert!(is_overflow, "{error:?}");
    assert!(totals(&db).await.is_empty());
}

/// Another program has stored doubles: a fraction, and a number with more digits than a double has.
#[tokio::test]
async fn a_sum_of_doubles_of_another_program_is_not_cut() {
    for number in [3.5, 4e18] {
        let db = database().await;
        planned(&db).await;
        db.collection::<Document>("sales")
            .insert_one(doc! { "_id": 1, "customer": "ada", "total": number })
            .await
            .unwrap();
        Sale::aggregate::<OfCustomer>().fetch_all(&db).await.map(drop).unwrap_err();
        let error = Sale::aggregate::<OfCustomer>().merge(&db).await.unwrap_err();
        assert!(matches!(error, Error::Aggregate(AggregateError::Overflow { .. })), "{error:?}");
        assert!(totals(&db).await.is_empty());
    }
}

/// The server asks for the unique index in the database, too.
#[tokio::test]
async fn a_missing_index_is_an_error_that_names_the_keys() {
    let db = database().await;
    Sale::insert(&db, &sale(1, "ada", 5, 1)).await.unwrap();
    let error = Sale::aggregate::<OfCustomer>().merge(&db).await.unwrap_err();
    let keys = match &error {
        Error::Aggregate(AggregateError::NoUniqueIndex { keys, .. }) => keys.as_str(),
        _ => panic!("{error:?}"),
    };
    assert_eq!((keys, error.kind()), ("customer", ErrorKind::Schema));
    assert!(totals(&db).await.is_empty());
}

/// A key that another program has left out.
#[tokio::test]
async fn an_absent_key_is_an_error_of_the_server() {
    let db = database().await;
    planned(&db).await;
    db.collection::<Document>("sales").insert_one(doc! { "_id": 1, "total": 5 }).await.unwrap();
    let error = Sale::aggregate::<OfCustomer>().merge(&db).await.unwrap_err();
    assert!(matches!(error, Error::Driver(_)), "{error:?}");
    assert!(totals(&db).await.is_empty());
}

#[tokio::test]
async fn a_failed_command_is_not_sent_again_and_the_same_call_completes_the_work() {
    let (db, log) = database_with_log().await;
    planned(&db).await;
    Sale::insert_many(&db, [sale(1, "ada", 5, 1), sale(2, "bo", 7, 1)]).await.unwrap();
    let failures = [doc! { "closeConnection": true }, doc! { "errorCode": 10107 }, doc! { "errorCode": 13 }];
    for (round, failure) in failures.into_iter().enumerate() {
        log.clear();
        let mut data = doc! { "failCommands": ["aggregate"] };
        data.extend(failure.clone());
        let point = fail_command(&db, doc! { "times": 1 }, data).await;
        let error = Sale::aggregate::<OfCustomer>().merge(&db).await.unwrap_err();
        point.clear().await;
        let is_of_network = matches!(error, Error::Connection { sent: true, .. });
        assert_eq!(is_of_network, !failure.contains_key("errorCode") || round == 1, "{error:?}");
        assert_eq!(log.named("aggregate").len(), 1, "{failure}");
        Sale::aggregate::<OfCustomer>().merge(&db).await.unwrap();
        let found = totals(&db).await;
        assert_eq!(found.iter().map(|total| total.revenue).collect::<Vec<_>>(), [5, 7]);
        Total::delete_many(&db, Total::F.customer.eq("bo")).await.unwrap();
    }
}

/// A command whose answer is lost may have written the groups.
#[tokio::test]
async fn a_lost_answer_leaves_the_groups() {
    let db = database().await;
    planned(&db).await;
    Sale::insert(&db, &sale(1, "ada", 5, 1)).await.unwrap();
    let unmet = doc! { "failCommands": ["aggregate"], "writeConcernError": { "code": 64, "errmsg": "waiting" } };
    let point = fail_command(&db, doc! { "times": 1 }, unmet).await;
    let error = Sale::aggregate::<OfCustomer>().merge(&db).await.unwrap_err();
    point.clear().await;
    assert!(matches!(error, Error::TimedOut { .. }), "{error:?}");
    let first = totals(&db).await;
    assert_eq!(first.len(), 1);
    Sale::aggregate::<OfCustomer>().merge(&db).await.unwrap();
    assert_eq!(totals(&db).await, first);
}

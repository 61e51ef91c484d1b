//! A source with more holders than its `fan_out`: the writes in a transaction end at some time.

use mongodb::bson::{Document, doc};
use schema_runtime::{prelude::*, verify::Finding};
use schema_tests::{database_with_log, fail_command};

use super::{
    models::{Part, Product},
    repair::{assert_in_sync, schema, three_products},
    writes::product,
};

#[tokio::test]
async fn one_that_reality_exceeds_is_propagated_in_chunks_from_then_on() {
    let (db, log) = database_with_log().await;
    three_products(&db).await;
    let products: Vec<Product> = (100..1_200).map(|id| product(id, &[1])).collect();
    Product::insert_many(&db, &products).await.unwrap();
    let report = schema().verify(&db).await.unwrap();
    let found = report.findings().iter().find_map(|finding| match finding {
        Finding::FanOutExceeded(found) => Some(found),
        _ => None,
    });
    let found = found.expect("it is found");
    assert_eq!((found.fan_out, found.sources, found.examples[0].holders), (500, 1, 1_101), "{report}");
    let text = "Product.parts.partId: 1 document of `parts` have more than 500 holders (`fan_out`)\n  1 has 1101";
    assert!(report.to_string().contains(text), "{report}");

    log.clear();
    Part::update_by_id(1).set(Part::F.name, "first").execute(&db).await.unwrap();
    assert_eq!(log.named("commitTransaction").len(), 1);
    log.clear();
    Part::update_by_id(1).set(Part::F.name, "second").execute(&db).await.unwrap();
    assert_eq!(log.named("commitTransaction").len(), 0);
    let second = doc! { "parts.name": "second" };
    assert_eq!(db.collection::<Document>("products").count_documents(second).await.unwrap(), 1_101);
}

/// The server ends a transaction that is open for too long; the write is done without a transaction.
#[tokio::test]
async fn a_transaction_that_takes_too_long_is_given_up() {
    let (db, log) = database_with_log().await;
    three_products(&db).await;
    log.clear();
    // TransactionExceededLifetimeLimitSeconds
    let data = doc! { "failCommands": ["update"], "errorCode": 290 };
    let fail = fail_command(&db, doc! { "times": 1 }, data).await;
    Part::update_by_id(1).set(Part::F.name, "new").execute(&db).await.unwrap();
    fail.clear().await;
    assert_eq!(log.named("commitTransaction").len(), 0);
    assert_in_sync(&db).await;
    assert_eq!(Product::get_by_id(&db, &10).await.unwrap().parts[0].name, "new");
}

//! Pipelines by hand.

use mongodb::bson::doc;
use schema_runtime::{prelude::*, transaction};
use schema_tests::database_with_log;

use super::models::{Order, order};

#[derive(Deserialize, Debug, PartialEq)]
struct Window {
    #[serde(rename = "_id")]
    id: i64,
    running: i64,
}

#[tokio::test]
async fn a_pipeline_by_hand_reads_with_options_and_in_a_transaction() {
    let (db, log) = database_with_log().await;
    schema![Order].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Order::insert_many(&db, (1..=4).map(order)).await.unwrap();
    log.clear();
    let running = || {
        let output = doc! { "running": { "$sum": "$total", "window": { "documents": ["unbounded", "current"] } } };
        let window = doc! { "$setWindowFields": { "sortBy": { "_id": 1 }, "output": output } };
        Order::aggregate_raw::<Window>(vec![window, doc! { "$project": { "running": 1 } }])
    };
    let rows = running().hint("by_total").comment("raw").fetch_all(&db).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.running).collect::<Vec<_>>(), [10, 30, 60, 100]);
    let command = log.named("aggregate").remove(0);
    assert_eq!(command.get_str("hint").ok(), Some("by_total"));
    assert_eq!(command.get_str("comment").ok(), Some("raw"));
    assert_eq!(running().fetch_one(&db).await.unwrap(), Window { id: 1, running: 10 });
    assert!(running().to_mongosh().unwrap().starts_with("db.getCollection(\"orders\").aggregate(["));
    let inside = transaction(&db, |tx| async move {
        Order::insert(&tx, &order(5)).await?;
        Ok::<_, Error>(running().fetch_all(&tx).await?.len())
    });
    assert_eq!(inside.await.unwrap(), 5);
    for stage in [doc! { "$out": "other" }, doc! { "$merge": { "into": "other" } }] {
        let refused = Order::aggregate_raw::<Window>(vec![stage]).fetch_all(&db).await;
        assert!(matches!(refused, Err(Error::Query { .. })), "{refused:?}");
    }
    let nothing = Order::aggregate_raw::<Window>(vec![doc! { "$match": { "_id": 77 } }]);
    assert!(matches!(nothing.fetch_one(&db).await, Err(Error::NotFound { .. })));
    let error = Order::aggregate_raw::<Window>(vec![doc! { "$limit": 1 }]).fetch_all(&db).await.unwrap_err();
    assert!(matches!(error, Error::Decode { .. }), "{error:?}");
}

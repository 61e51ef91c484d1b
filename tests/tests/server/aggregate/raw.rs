//! Pipelines by hand.

use futures_util::{StreamExt, TryStreamExt};
use mongodb::bson::doc;
use schema_runtime::{prelude::*, transaction};
use schema_tests::database_with_log;

use super::{
    faults::assert_cursors_close,
    models::{Order, order},
};

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

#[derive(Deserialize, Debug, PartialEq)]
struct Sum {
    sum: i64,
}

#[tokio::test]
async fn typed_stages_come_before_the_pipeline() {
    let (db, log) = database_with_log().await;
    schema![Order].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let cities = [Some("$gt"), Some("Oslo"), Some("{\"$gt\": \"\"}"), None];
    let orders = (1..=8).map(|id| Order { city: cities[id as usize % 4].map(str::to_owned), ..order(id) });
    Order::insert_many(&db, orders).await.unwrap();
    let all = || {
        let sum = doc! { "$group": { "_id": null, "sum": { "$sum": "$total" } } };
        Order::aggregate_raw::<Sum>(vec![sum])
    };
    let sum = async |read: RawSum| read.fetch_optional(&db).await.unwrap().map(|row| row.sum);
    assert_eq!(sum(all()).await, Some(360));
    assert_eq!(sum(all().filter(Order::F.total.gte(50))).await, Some(50 + 60 + 70 + 80));
    assert_eq!(sum(all().filter(Order::F.total.gte(50)).filter(Order::F.total.lt(70))).await, Some(110));
    log.clear();
    assert_eq!(sum(all().sort([Order::F.total.desc()]).limit(2)).await, Some(150));
    let command = log.named("aggregate").remove(0);
    assert_eq!(
        command.get_array("pipeline").unwrap()[..2],
        [doc! { "$sort": { "total": -1 } }.into(), doc! { "$limit": 2_i64 }.into()]
    );
    // A value is an operand, whatever the value looks like.
    for (city, expected) in [("$gt", 40 + 80), ("{\"$gt\": \"\"}", 20 + 60), ("$city", 0)] {
        let found = sum(all().filter(Order::F.city.eq(city))).await;
        assert_eq!(found.unwrap_or_default(), expected, "{city}");
    }
    // An index serves the filter.
    let indexed = all().filter(Order::F.total.gte(50));
    assert_eq!(schema_runtime::check_indexed(&indexed, &db).await.unwrap(), []);
    assert!(indexed.to_mongosh().unwrap().contains("$match"));
}

type RawSum = schema_runtime::aggregate::RawAggregation<Order, Sum>;

#[tokio::test]
async fn a_stream_reads_one_reply_at_a_time() {
    let (db, log) = database_with_log().await;
    schema![Order].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Order::insert_many(&db, (1..=9).map(order)).await.unwrap();
    let sums = || {
        let odd = doc! { "$cond": [{ "$eq": ["$_id", 5] }, "no number", "$total"] };
        Order::aggregate_raw::<Sum>(vec![doc! { "$sort": { "_id": 1 } }, doc! { "$project": { "sum": odd } }])
    };
    log.clear();
    let rows: Vec<Result<Sum>> = sums().batch_size(4).stream(&db).await.unwrap().collect().await;
    assert_eq!(log.named("getMore").len(), 2, "three replies");
    assert_eq!(rows.len(), 9, "the stream goes on after a document of another form");
    let wrong: Vec<usize> = (0..9).filter(|at| rows[*at].is_err()).collect();
    assert_eq!(wrong, [4]);
    assert!(matches!(rows[4], Err(Error::Decode { .. })), "{:?}", rows[4]);

    log.clear();
    let mut rows = sums().filter(Order::F.total.lte(40)).batch_size(2).stream(&db).await.unwrap();
    assert_eq!(rows.try_next().await.unwrap(), Some(Sum { sum: 10 }));
    drop(rows);
    assert_cursors_close(&db).await;
    assert!(log.named("getMore").is_empty(), "a dropped stream reads no further reply");

    let inside = transaction(&db, |tx| async move {
        Order::insert(&tx, &order(10)).await?;
        let rows = Order::aggregate_raw::<Sum>(vec![doc! { "$project": { "sum": "$total" } }]);
        Ok::<_, Error>(rows.batch_size(3).stream(&tx).await?.try_collect::<Vec<_>>().await?.len())
    });
    assert_eq!(inside.await.unwrap(), 10);
    let refused = Order::aggregate_raw::<Sum>(vec![doc! { "$out": "other" }]).stream(&db).await;
    assert!(matches!(refused.err(), Some(Error::Query { .. })));
}

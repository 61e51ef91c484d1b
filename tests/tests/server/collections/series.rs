//! Time series.

use mongodb::bson::doc;
use schema_runtime::{
    Error,
    plan::{Change, Clash, Needs},
    prelude::*,
    transaction,
};
use schema_tests::{database, database_with_log};

use super::*;

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Sensor {
    place: String,
    number: i32,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "readings", time_series(time = at, meta = sensor, granularity = minutes, ttl = "9000d"))]
#[index(sensor.place, desc(at))]
#[query(of_place(sensor.place as String), order = desc(at), limit = 3)]
struct Reading {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[serde(rename = "takenAt")]
    at: DateTime,
    #[serde(rename = "source")]
    sensor: Sensor,
    #[check(min = -50.0, max = 90.0)]
    celsius: f64,
}

fn reading(minute: i64, celsius: f64) -> Reading {
    let at = DateTime::from_millis(1_790_000_000_000 + minute * 60_000);
    let sensor = Sensor { place: "hall".to_owned(), number: 1 };
    Reading { id: ObjectId::new(), at, sensor, celsius }
}

#[tokio::test]
async fn a_time_series_is_made_with_its_indexes_and_without_a_validator() {
    let db = database().await;
    let schema = schema![Reading];
    let plan = planned(schema, &db).await;
    assert_eq!(
        plan.to_string(),
        "readings (Reading)
  + collection {timeseries: {timeField: \"takenAt\", metaField: \"source\", granularity: \"minutes\"}, \
         expireAfterSeconds: 777600000}
  + index source.place_1_takenAt_-1 {source.place: 1, takenAt: -1}
"
    );
    plan.apply(&db).await.and_then(|report| report.complete()).expect("made");
    is_settled(schema, &db).await;
    assert_eq!(listed(&db, "readings").await.get_str("type").ok(), Some("timeseries"));
    assert_eq!(names(&db, "readings").await, ["source.place_1_takenAt_-1"]);
}

#[tokio::test]
async fn measurements_are_inserted_and_read_in_each_way() {
    let db = database().await;
    schema![Reading].create(&db).await.expect("made");
    let readings: Vec<Reading> = (0..10).map(|minute| reading(minute, 20.0 + minute as f64)).collect();
    Reading::insert(&db, &readings[0]).await.expect("inserted");
    Reading::insert_many(&db, &readings[1..]).await.expect("inserted");

    let all = Reading::find(Filter::all()).sort(Reading::F.at.asc()).fetch_all(&db).await.expect("read");
    assert_eq!(all, readings);
    assert_eq!(Reading::get_by_id(&db, &readings[4].id).await.expect("read"), readings[4]);
    let latest = Reading::of_place("hall".to_owned()).fetch_all(&db).await.expect("read");
    assert_eq!(latest, [&readings[9], &readings[8], &readings[7]].map(Clone::clone));
    let warm = Reading::find(Reading::F.celsius.gte(28.0));
    assert_eq!(warm.count(&db).await.expect("counted"), 2);
    let places = Reading::find(Filter::all()).distinct(&db, Reading::F.sensor.place).await.expect("read");
    assert_eq!(places, ["hall"]);
    assert_eq!(Reading::estimated_count(&db).await.expect("counted"), 10);

    let by_time = Reading::find(Filter::all()).sort(Reading::F.at.asc());
    let first = by_time.clone().paginate(6).fetch(&db).await.expect("a page");
    let second = by_time.paginate(6).after(&first.next).fetch(&db).await.expect("a page");
    let paged: Vec<Reading> = first.iter().chain(second.iter()).cloned().collect();
    assert_eq!(paged, readings);
}

/// A time series has no validator: the crate checks the rules before an insert.
#[tokio::test]
async fn value_rules_are_checked_before_an_insert() {
    let (db, log) = database_with_log().await;
    schema![Reading].create(&db).await.expect("made");
    let refused = Reading::insert(&db, &reading(0, 99.0)).await.expect_err("too warm");
    assert!(matches!(refused, Error::DocumentInvalid { .. }), "{refused}");
    assert_eq!(log.named("insert"), []);
}

#[tokio::test]
async fn a_transaction_writes_no_time_series() {
    let db = database().await;
    schema![Reading].create(&db).await.expect("made");
    let refused =
        transaction(&db, |tx| async move { Reading::insert(&tx, &reading(0, 1.0)).await }).await.expect_err("refused");
    assert!(refused.to_string().contains("code 263 (OperationNotSupportedInTransaction)"), "{refused}");
    let read = transaction(&db, |tx| async move { Reading::find(Filter::all()).count(&tx).await }).await;
    assert_eq!(read.expect("a transaction reads"), 0);
}

/// The server compares no `_id`s of measurements: the crate and the driver send each measurement once.
#[tokio::test]
async fn two_measurements_may_have_one_id() {
    let db = database().await;
    schema![Reading].create(&db).await.expect("made");
    let first = reading(0, 1.0);
    Reading::insert(&db, &first).await.expect("inserted");
    Reading::insert(&db, &first).await.expect("inserted again");
    assert_eq!(Reading::find(Reading::F.id.eq(first.id)).count(&db).await.expect("counted"), 2);
}

#[tokio::test]
async fn the_granularity_and_the_expiry_change_in_place() {
    for (made, wanted) in [(doc! { "granularity": "minutes" }, 1), (doc! { "granularity": "seconds" }, 2), (doc! {}, 2)]
    {
        let db = database().await;
        let mut series = doc! { "timeField": "takenAt", "metaField": "source" };
        series.extend(made.clone());
        db.run_command(doc! { "create": "readings", "timeseries": series }).await.expect("made");
        let plan = planned(schema![Reading], &db).await;
        let changed = plan.steps().iter().filter(|step| matches!(step.change, Change::SetOption { .. }));
        assert_eq!(changed.inspect(|step| assert_eq!(step.needs(), Needs::Nothing)).count(), wanted, "{made}: {plan}");
        applied(schema![Reading], &db).await;
        is_settled(schema![Reading], &db).await;
        let options = options(&db, "readings").await;
        assert_eq!(options.get_document("timeseries").expect("one").get_str("granularity").ok(), Some("minutes"));
        assert_eq!(options.get("expireAfterSeconds").expect("an expiry").to_string(), "777600000");
    }
}

#[tokio::test]
async fn another_time_field_and_a_finer_granularity_need_a_decision() {
    for (series, clash) in [
        (doc! { "timeField": "at", "metaField": "source" }, Clash::TimeSeriesFields),
        (doc! { "timeField": "takenAt" }, Clash::TimeSeriesFields),
        (doc! { "timeField": "takenAt", "metaField": "source", "granularity": "hours" }, Clash::Granularity),
    ] {
        let db = database().await;
        db.run_command(doc! { "create": "readings", "timeseries": series }).await.expect("made");
        let plan = planned(schema![Reading], &db).await;
        assert_eq!(steps(&plan), [&Change::CollectionClash { clash }]);
        assert!(plan.to_string().contains("no command changes this"), "{plan}");
    }
}

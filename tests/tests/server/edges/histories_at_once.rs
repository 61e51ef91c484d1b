//! Entries of a history that begin now, recorded concurrently or with different clocks.

use mongodb::bson::Bson;
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[history(keep = 50, order = desc(from), interval(from, until))]
    prices: Vec<Price>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Price {
    cents: i64,
    from: DateTime,
    until: Option<DateTime>,
}

fn at(millis: i64) -> DateTime {
    DateTime::from_millis(millis)
}

async fn record(db: &Database, cents: i64, from: i64, until: Option<i64>) -> Result<()> {
    let price = Price { cents, from: at(from), until: until.map(at) };
    Product::update_by_id(1).record(Product::F.prices, &price).execute(db).await.map(drop)
}

async fn prepared() -> (Database, i64) {
    let db = database().await;
    Product::insert(&db, &Product { id: 1, prices: vec![] }).await.unwrap();
    (db, DateTime::now().timestamp_millis())
}

/// Returns the stored cents, from and until of each entry, relative to a time.
async fn stored(db: &Database, now: i64) -> Vec<(i64, i64, Option<i64>)> {
    let document = db.collection::<mongodb::bson::Document>("products").find_one(mongodb::bson::doc! {}).await;
    let document = document.unwrap().unwrap();
    let entries = document.get_array("prices").unwrap().iter().filter_map(Bson::as_document);
    let millis = |time: &Bson| time.as_datetime().map(|time| time.timestamp_millis() - now);
    let entry = |entry: &mongodb::bson::Document| {
        let times = (millis(entry.get("from").unwrap()).unwrap(), millis(entry.get("until").unwrap()));
        (entry.get_i64("cents").unwrap(), times.0, times.1)
    };
    entries.map(entry).collect()
}

#[tokio::test]
async fn in_one_millisecond_the_second_begins_a_millisecond_later() {
    let (db, now) = prepared().await;
    for cents in [1, 2, 3] {
        record(&db, cents, now, None).await.unwrap();
    }
    assert_eq!(stored(&db, now).await, [(3, 2, None), (2, 1, Some(2)), (1, 0, Some(1))]);
}

#[tokio::test]
async fn with_clocks_apart_the_second_begins_behind_the_first() {
    let (db, now) = prepared().await;
    record(&db, 1, now + 5_000, None).await.unwrap();
    record(&db, 2, now, None).await.unwrap();
    assert_eq!(stored(&db, now).await, [(2, 5_001, None), (1, 5_000, Some(5_001))]);
    record(&db, 3, now + 1_000, Some(now + 9_000)).await.unwrap();
    assert_eq!(stored(&db, now).await[0], (3, 5_002, Some(9_000)));
}

#[tokio::test]
async fn writers_at_once_all_record() {
    let (db, _) = prepared().await;
    let write = async |writer: i64| {
        for cents in 0..5 {
            record(&db, writer * 10 + cents, DateTime::now().timestamp_millis(), None).await.unwrap();
        }
    };
    futures_util::future::join_all((0..6).map(write)).await;
    let stored = stored(&db, 0).await;
    assert_eq!(stored.len(), 30);
    assert!(stored[0].2.is_none());
    assert!(stored.windows(2).all(|pair| pair[1].2 == Some(pair[0].1) && pair[1].1 < pair[0].1), "{stored:?}");
}

/// A chosen time is no clock: the crate moves no begin of an entry.
#[tokio::test]
async fn what_begins_at_another_time_overlaps() {
    let (db, now) = prepared().await;
    record(&db, 1, now + 86_400_000, None).await.unwrap();
    // A later price is stored: the earlier price has to state its end.
    assert!(matches!(record(&db, 2, now, None).await, Err(Error::IntervalOverlap { .. })));
    assert!(matches!(record(&db, 2, now - 86_400_000, None).await, Err(Error::IntervalOverlap { .. })));
    record(&db, 2, now, Some(now + 86_400_000)).await.unwrap();
    assert_eq!(stored(&db, now).await, [(1, 86_400_000, None), (2, 0, Some(86_400_000))]);
}

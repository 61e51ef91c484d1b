//! Orders by values with a special comparison: numbers of several types, values that are not numbers, and values that
//! only the server compares.

use mongodb::{
    Database,
    bson::{Bson, Decimal128, Document, doc},
};
use schema_runtime::{Throttle, prelude::*, schema, transaction};
use schema_tests::{
    buckets::{Comment, Panel, Post, Reading, comment, raw},
    database,
};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "posts")]
#[inverse(samples = Sample::post, prices = Price::post)]
struct Subject {
    #[serde(rename = "_id")]
    id: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "samples", bucket(size = 4))]
struct Sample {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(value))]
    post: Ref<Subject>,
    value: f64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "linked_samples")]
struct LinkedSample {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(value))]
    post: Ref<Subject>,
    value: f64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "prices", bucket(size = 4))]
struct Price {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(price))]
    post: Ref<Subject>,
    price: Decimal128,
}

async fn start() -> Database {
    let db = database().await;
    schema![Subject, Sample, LinkedSample, Price].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Subject::insert(&db, &Subject { id: 1 }).await.unwrap();
    db
}

/// Returns whether number, order and bounds of every bucket are right, as the server sees the bucket.
async fn is_right(db: &Database) -> bool {
    let report = schema![Subject, Sample, Price].verify(db).await.unwrap();
    println!("{report}");
    report.is_clean()
}

fn sample(id: i64, value: f64) -> Sample {
    Sample { id, post: Ref::new(1), value }
}

#[tokio::test]
async fn what_is_no_number_is_the_least() {
    let db = start().await;
    for (id, value) in (1..).zip([f64::NAN, 5.0, 6.0, f64::NAN, f64::NEG_INFINITY, f64::NAN, 7.0, f64::INFINITY, 8.0]) {
        Sample::insert(&db, &sample(id, value)).await.unwrap();
        assert!(is_right(&db).await, "after {value}");
    }
    let many = (20..).zip([f64::NAN, 1.0, f64::NAN, 2.0, 3.0]).map(|(id, value)| sample(id, value));
    transaction(&db, |tx| {
        let many: Vec<Sample> = many.clone().collect();
        async move { Sample::insert_many(&tx, &many).await }
    })
    .await
    .unwrap();
    assert!(is_right(&db).await);
    assert_eq!(Subject { id: 1 }.samples().count(&db).await.unwrap(), 14);
}

/// A shell writes `1` as an integer or as a double.
#[tokio::test]
async fn numbers_of_several_types_are_one_order() {
    let db = start().await;
    let linked = [Bson::Int32(1), Bson::Double(2.5), Bson::Int64(2), Bson::Double(-3.5), Bson::Int32(-3)];
    let documents = (1_i64..).zip(linked).map(|(id, value)| doc! { "_id": id, "post": 1_i64, "value": value });
    db.collection::<Document>("linked_samples").insert_many(documents.collect::<Vec<_>>()).await.unwrap();
    assert_eq!(Sample::into_buckets::<LinkedSample>(&db, &Throttle::new()).await.unwrap(), 5);
    assert!(is_right(&db).await);
    for (id, value) in (10..).zip([2.0, 2.2, 2.4, 2.6, 2.7]) {
        Sample::insert(&db, &sample(id, value)).await.unwrap();
        assert!(is_right(&db).await, "after {value}");
    }
    for id in [1, 2, 11] {
        Sample::delete_by_id(&db, id).await.unwrap();
    }
    Sample::compact(&db, 1).await.unwrap();
    assert!(is_right(&db).await);
}

#[tokio::test]
async fn what_only_the_server_compares_is_pushed_one_by_one() {
    let db = start().await;
    let price = |id: i64, price: &str| Price { id, post: Ref::new(1), price: price.parse().unwrap() };
    let many = (1..).zip(["3.5", "1.5", "2", "10", "4", "1e2"]).map(|(id, value)| price(id, value));
    Price::insert_many(&db, many.collect::<Vec<_>>()).await.unwrap();
    assert!(is_right(&db).await);
    Price::delete_by_id(&db, 1).await.unwrap();
    Price::delete_by_id(&db, 2).await.unwrap();
    Price::compact(&db, 1).await.unwrap();
    assert!(is_right(&db).await);
    let pages: Vec<usize> = vec![
        Subject { id: 1 }.prices().bucket(1).fetch_all(&db).await.unwrap().len(),
        Subject { id: 1 }.prices().bucket(2).fetch_all(&db).await.unwrap().len(),
    ];
    assert_eq!(pages, [4, 0]);
}

async fn comments() -> Database {
    let db = database().await;
    schema![Post, Comment, Panel, Reading].plan(&db).await.unwrap().apply(&db).await.unwrap();
    db
}

/// A unique index does not compare the elements of a single document.
#[tokio::test]
async fn one_child_twice_in_one_insert_is_a_duplicate() {
    let db = comments().await;
    let many = [comment(1, 7, 1), comment(2, 7, 2), comment(1, 7, 3), comment(4, 7, 4)];
    let error = Comment::insert_many(&db, &many).await.unwrap_err();
    assert!(matches!(&error, Error::InsertMany { inserted: 2, index: Some(2), .. }), "{error:?}");
    assert_eq!(raw::checked(&db, 4).await["7"], [[1, 2]]);
    let reading = |id, at: i64| Reading {
        id,
        panel: Ref::new("roof".to_owned()),
        time: DateTime::from_millis(at),
        watt_hours: 1.0,
    };
    let [one, other] = [ObjectId::new(), ObjectId::new()];
    Reading::insert_many(&db, [one, ObjectId::new(), ObjectId::new()].map(|id| reading(id, 1))).await.unwrap();
    let in_transaction =
        transaction(&db, |tx| async move { Reading::insert_many(&tx, [reading(other, 2), reading(one, 3)]).await });
    let error = in_transaction.await.unwrap_err();
    assert!(matches!(&error, Error::InsertMany { index: Some(1), .. }), "{error:?}");
}

/// A full page that is older than a rule of the validator: the writer that begins the next page marks the full page as
/// followed all the same.
#[tokio::test]
async fn a_page_that_the_validator_refuses_is_followed() {
    let db = comments().await;
    for id in 1..=4 {
        Comment::insert(&db, &comment(id, 7, id)).await.unwrap();
    }
    let followed = async || {
        let buckets = raw::buckets(&db).await;
        buckets
            .iter()
            .filter(|bucket| bucket.contains_key("followed"))
            .map(|one| raw::number(one, "page"))
            .collect::<Vec<_>>()
    };
    assert_eq!(followed().await, [0; 0], "it was filled by inserts that had read nothing");
    let rule = doc! { "collMod": "comments", "validator": { "items._id": { "$ne": 2_i64 } } };
    db.run_command(rule).await.unwrap();
    Comment::insert(&db, &comment(5, 7, 5)).await.unwrap();
    assert_eq!(followed().await, [1]);
    assert_eq!(raw::checked(&db, 4).await["7"], [vec![1, 2, 3, 4], vec![5]]);
}

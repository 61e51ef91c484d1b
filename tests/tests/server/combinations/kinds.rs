//! The types that may be rolled up; and a child that refers to a model twice, perhaps to the same document.

use mongodb::{
    Database,
    bson::{Decimal128, doc},
};
use schema_runtime::{Throttle, prelude::*, schema};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "cities")]
struct City {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(count(Trip::from))]
    out: i64,
    #[computed(count(Trip::to))]
    into: i64,
    #[computed(sum(Trip::from, price))]
    spent: Decimal128,
    #[computed(avg(Trip::from, price))]
    average: Option<Decimal128>,
    #[computed(sum(Trip::from, hours))]
    hours: f64,
    #[computed(avg(Trip::to, hours))]
    average_hours: Option<f64>,
    #[computed(max(Trip::from, hours))]
    longest: Option<f64>,
    #[computed(min(Trip::to, name))]
    first: Option<String>,
    #[computed(max(Trip::to, guest))]
    guest: Option<ObjectId>,
    #[computed(min(Trip::to, day))]
    since: Option<DateTime>,
    #[computed(max(Trip::to, price))]
    dearest: Option<Decimal128>,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "trips")]
struct Trip {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    from: Ref<City>,
    #[relation(one_to_many, parent_ref)]
    to: Ref<City>,
    price: Decimal128,
    hours: f64,
    name: String,
    guest: ObjectId,
    day: DateTime,
}

fn decimal(text: &str) -> Decimal128 {
    text.parse().unwrap()
}

fn city(id: i64) -> City {
    City {
        id,
        out: 0,
        into: 0,
        spent: decimal("0"),
        average: None,
        hours: 0.0,
        average_hours: None,
        longest: None,
        first: None,
        guest: None,
        since: None,
        dearest: None,
    }
}

fn trip(id: i64, from: i64, to: i64) -> Trip {
    let mut guest = [0; 12];
    guest[11] = id as u8;
    Trip {
        id,
        from: Ref::new(from),
        to: Ref::new(to),
        price: decimal(&format!("{id}.25")),
        hours: id as f64 / 2.0,
        name: format!("trip {id}"),
        guest: ObjectId::from_bytes(guest),
        day: DateTime::from_millis(id * 1_000),
    }
}

fn numbers(city: &City) -> (i64, i64, String, f64) {
    (city.out, city.into, city.spent.to_string(), city.hours)
}

async fn get(db: &Database, id: i64) -> City {
    City::get_by_id(db, &id).await.unwrap()
}

/// Checks that each value of a city equals the aggregation of the trips.
async fn assert_right(db: &Database) {
    let report = schema![City, Trip].verify(db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn every_type_that_has_a_sum_or_an_order() {
    let db = database().await;
    City::insert_many(&db, &[city(1), city(2), city(3)]).await.unwrap();
    Trip::insert_many(&db, &[trip(1, 1, 2), trip(2, 1, 3), trip(3, 1, 2)]).await.unwrap();
    assert_eq!(numbers(&get(&db, 1).await), (3, 0, "6.75".to_owned(), 3.0));
    assert_eq!(get(&db, 1).await.average, Some(decimal("2.25")));
    let two = get(&db, 2).await;
    assert_eq!((two.into, two.average_hours, two.first.as_deref()), (2, Some(1.0), Some("trip 1")));
    assert_eq!((two.guest, two.since), (Some(trip(3, 1, 1).guest), Some(DateTime::from_millis(1_000))));
    assert_eq!((get(&db, 1).await.longest, two.dearest), (Some(1.5), Some(decimal("3.25"))));
    assert_right(&db).await;
    Trip::update_by_id(3).set(Trip::F.price, decimal("1000.5")).set(Trip::F.hours, 0.25).execute(&db).await.unwrap();
    assert_eq!(numbers(&get(&db, 1).await), (3, 0, "1004.00".to_owned(), 1.75));
    assert_right(&db).await;
    // Values without a sum for a while.
    Trip::update_by_id(3).set(Trip::F.hours, f64::NAN).execute(&db).await.unwrap();
    assert!(get(&db, 1).await.hours.is_nan() && get(&db, 2).await.average_hours.unwrap().is_nan());
    Trip::update_by_id(3).set(Trip::F.hours, f64::INFINITY).execute(&db).await.unwrap();
    assert_eq!((get(&db, 1).await.hours, get(&db, 1).await.longest), (f64::INFINITY, Some(f64::INFINITY)));
    Trip::update_by_id(3).set(Trip::F.hours, 0.25).execute(&db).await.unwrap();
    assert_eq!((get(&db, 1).await.hours, get(&db, 2).await.average_hours), (1.75, Some(0.375)));
    assert_right(&db).await;
    Trip::delete_many(&db, Filter::all()).await.unwrap();
    let one = get(&db, 1).await;
    assert_eq!((one.out, one.average, one.longest, one.hours), (0, None, None, 0.0));
    assert_right(&db).await;
}

#[tokio::test]
async fn a_child_may_refer_to_one_parent_twice() {
    let db = database().await;
    schema![City, Trip].plan(&db).await.unwrap().apply(&db).await.unwrap();
    City::insert_many(&db, &[city(1), city(2)]).await.unwrap();
    Trip::insert(&db, &trip(1, 1, 1)).await.unwrap();
    Trip::insert_many(&db, &[trip(2, 1, 1), trip(3, 1, 2), trip(4, 2, 1)]).await.unwrap();
    assert_eq!((get(&db, 1).await.out, get(&db, 1).await.into), (3, 3));
    assert_right(&db).await;
    Trip::update_by_id(1).set(Trip::F.from, Ref::new(2)).set(Trip::F.to, Ref::new(2)).execute(&db).await.unwrap();
    assert_eq!((get(&db, 1).await.out, get(&db, 2).await.into), (2, 2));
    // The two cities of the trip change places.
    Trip::update_by_id(4).set(Trip::F.from, Ref::new(1)).set(Trip::F.to, Ref::new(2)).execute(&db).await.unwrap();
    Trip::update_many(Filter::all()).inc(Trip::F.hours, 1.0).execute(&db).await.unwrap();
    assert_right(&db).await;
    Trip::delete_by_id(&db, &2).await.unwrap();
    assert_right(&db).await;
    Trip::delete_many(&db, Filter::all()).await.unwrap();
    assert_eq!((numbers(&get(&db, 1).await).0, get(&db, 2).await.into), (0, 0));
    schema![City, Trip].recover(&db, &Throttle::new()).await.unwrap();
    assert_right(&db).await;
    assert_eq!(db.collection::<City>("cities").count_documents(doc! {}).await.unwrap(), 2);
}

//! A sum that does not fit 64 bits is refused with its write; a sum that is NaN is computed again when the child with
//! the NaN is deleted.

use schema_runtime::{Error, prelude::*, schema};
use schema_tests::database;

use super::accounts::{Account, Booking, SCHEMA};

#[tokio::test]
async fn a_write_whose_sum_does_not_fit_is_refused() {
    let db = database().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Account::insert(&db, &Account { id: 1, name: "a".to_owned(), cents: 0 }).await.unwrap();
    let booking = |id, cents| Booking { id, account: Ref::new(1), cents };
    Booking::insert(&db, &booking(1, i64::MAX)).await.unwrap();
    let error = Booking::insert(&db, &booking(2, 7)).await.unwrap_err();
    assert!(matches!(&error, Error::DocumentInvalid { .. }), "{error:?}");
    // Neither the parent nor the child is written.
    assert_eq!(Account::get_by_id(&db, 1).await.unwrap().cents, i64::MAX);
    assert_eq!(Booking::find(Filter::all()).count(&db).await.unwrap(), 1);
    Booking::update_by_id(1).set(Booking::F.cents, 1).execute(&db).await.unwrap();
    Booking::insert(&db, &booking(2, 7)).await.unwrap();
    assert_eq!(Account::get_by_id(&db, 1).await.unwrap().cents, 8);
    let report = SCHEMA.verify(&db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "cities")]
struct City {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(sum(Trip::city, hours))]
    hours: f64,
    #[computed(max(Trip::city, hours))]
    longest: Option<f64>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "trips")]
struct Trip {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    city: Ref<City>,
    hours: f64,
}

/// A sum that is NaN stays NaN as long as the child with the NaN exists, and a single read computes the remaining
/// values of the parent.
#[tokio::test]
async fn the_greatest_goes_beside_what_is_no_number() {
    let (db, schema) = (database().await, schema![City, Trip]);
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    City::insert(&db, &City { id: 1, hours: 0.0, longest: None }).await.unwrap();
    let trip = |id, hours| Trip { id, city: Ref::new(1), hours };
    Trip::insert_many(&db, &[trip(1, 0.5), trip(2, 1.0), trip(3, f64::NAN)]).await.unwrap();
    Trip::delete_by_id(&db, &2).await.unwrap();
    let city = City::get_by_id(&db, &1).await.unwrap();
    assert!(city.hours.is_nan() && city.longest == Some(0.5), "{} {:?}", city.hours, city.longest);
    assert!(City::recompute(&db, 1).await.unwrap());
    Trip::delete_by_id(&db, &3).await.unwrap();
    let city = City::get_by_id(&db, &1).await.unwrap();
    assert_eq!((city.hours, city.longest), (0.5, Some(0.5)));
    let report = schema.verify(&db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}

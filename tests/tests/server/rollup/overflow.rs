//! A sum that does not fit 64 bits: the parent refuses it, the child says that it is pending, and it is applied as soon as it fits.

use schema_runtime::{Error, Throttle, prelude::*, schema};
use schema_tests::{Fault, Proxy, database};

use super::accounts::{Account, Booking, SCHEMA};

#[tokio::test]
async fn a_sum_that_does_not_fit_waits_until_it_does() {
    let db = database().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Account::insert(&db, &Account { id: 1, name: "a".to_owned(), cents: 0 }).await.unwrap();
    let booking = |id, cents| Booking { id, account: Ref::new(1), cents };
    Booking::insert(&db, &booking(1, i64::MAX)).await.unwrap();
    let error = Booking::insert(&db, &booking(2, 7)).await.unwrap_err();
    assert!(
        matches!(&error, Error::RollupPending { source, .. } if matches!(**source, Error::DocumentInvalid { .. })),
        "{error:?}"
    );
    // The parent is as it was, and the child says what it has not got.
    assert_eq!(Account::get_by_id(&db, 1).await.unwrap().cents, i64::MAX);
    let recovered = SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(recovered.rollups[0].refused, 1, "{recovered}");
    // It fits again.
    Booking::update_by_id(1).set(Booking::F.cents, 1).run(&db).await.unwrap();
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
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

/// A sum that is no number stays one as long as such a child is there, and what else the parent keeps is read again once.
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

/// One of two infinite trips is deleted, and the other one by a client that stops when it has said so: whoever is reading the sum again
/// begins once more.
#[tokio::test]
async fn a_sum_that_is_lost_while_it_is_read_again() {
    let trip = |id, hours| Trip { id, city: Ref::new(1), hours };
    let (mut hold, mut commands) = (3, usize::MAX);
    while hold < commands {
        let (db, schema) = (database().await, schema![City, Trip]);
        schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
        City::insert(&db, &City { id: 1, hours: 0.0, longest: None }).await.unwrap();
        Trip::insert_many(&db, &[trip(1, f64::INFINITY), trip(2, f64::NEG_INFINITY), trip(3, 1.0)]).await.unwrap();
        let proxy = Proxy::start([(hold, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let mut deleted = tokio::spawn(async move { Trip::delete_by_id(&slow, &1).await });
        tokio::select! {
            _ = &mut deleted => {}
            () = proxy.reached() => {}
        }
        let stopping = Proxy::start([(4, Fault::StopAfter)]).await;
        let stops = stopping.database(db.name()).await;
        tokio::select! {
            _ = Trip::delete_by_id(&stops, &2) => {}
            () = stopping.reached() => {}
        }
        assert_eq!(
            stopping.names(),
            ["update", "aggregate", "update", "delete", "update"],
            "it is about to read again"
        );
        proxy.release();
        if !deleted.is_finished() {
            deleted.await.unwrap().unwrap();
        }
        schema.recover(&db, &Throttle::new()).await.unwrap();
        let city = City::get_by_id(&db, &1).await.unwrap();
        assert_eq!((city.hours, city.longest), (1.0, Some(1.0)), "held at {hold}");
        (commands, hold) = (proxy.names().len(), hold + 1);
    }
    assert!(hold > 8, "it has read the trips again: {hold} commands");
}

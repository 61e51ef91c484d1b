//! A document that the server refuses is counted and named, and the remaining documents are written.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, MaintenanceKind, Throttle, prelude::*};
use schema_tests::{database, rollups::leave_differences};

use super::accounts::{Account, Booking, SCHEMA};

/// Writes thirty accounts with a booking each. Account 3 does not pass its validator any more.
async fn begin() -> Database {
    let db = database().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let accounts: Vec<Account> = (0..30).map(|id| Account { id, name: "a".to_owned(), cents: 0 }).collect();
    Account::insert_many(&db, &accounts).await.unwrap();
    let bookings: Vec<Booking> = (0..30).map(|id| Booking { id, account: Ref::new(id), cents: 5 }).collect();
    Booking::insert_many(&db, &bookings).await.unwrap();
    name_of_third(&db, doc! { "$set": { "name": 5 } }).await;
    db
}

async fn name_of_third(db: &Database, update: Document) {
    let accounts = db.collection::<Document>("accounts");
    accounts.update_one(doc! { "_id": 3_i64 }, update).bypass_document_validation(true).await.unwrap();
}

/// Returns the number of accounts with this sum.
async fn with_cents(db: &Database, cents: i64) -> u64 {
    db.collection::<Document>("accounts").count_documents(doc! { "cents": cents }).await.unwrap()
}

/// The server refuses the account: the crate writes nothing of the booking.
#[tokio::test]
async fn a_refused_parent_refuses_the_write_of_its_child() {
    let db = begin().await;
    let error = Booking::insert(&db, &Booking { id: 99, account: Ref::new(3), cents: 5 }).await.unwrap_err();
    assert!(matches!(&error, Error::DocumentInvalid { .. }), "{error:?}");
    Booking::update_by_id(3).set(Booking::F.cents, 8).execute(&db).await.unwrap_err();
    Booking::delete_by_id(&db, 3).await.unwrap_err();
    assert_eq!((with_cents(&db, 5).await, Booking::find(Filter::all()).count(&db).await.unwrap()), (30, 30));
    let report = SCHEMA.verify(&db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}

/// A difference is left for each account, and the server refuses an account: the differences of the remaining accounts
/// are folded.
#[tokio::test]
async fn one_parent_does_not_keep_the_others() {
    let db = begin().await;
    leave_differences(&db, "bookings_account", 0..30, doc! { "cents": { "plus": [3_i64], "minus": [] } }).await;
    db.collection::<Document>("bookings").update_many(doc! {}, doc! { "$set": { "cents": 8_i64 } }).await.unwrap();
    let report = SCHEMA.verify(&db).await.unwrap();
    assert!(!report.is_clean() && report.findings().is_empty(), "{report}");
    let recovered = SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!((recovered.found(MaintenanceKind::PendingDifference), recovered.refused()), (29, 1), "{recovered}");
    assert_eq!((with_cents(&db, 8).await, with_cents(&db, 5).await), (29, 1));
    name_of_third(&db, doc! { "$set": { "name": "a" } }).await;
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(with_cents(&db, 8).await, 30);
    let report = SCHEMA.verify(&db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn recompute_all_goes_on() {
    let db = begin().await;
    let wrong = doc! { "$set": { "cents": 1_i64 } };
    db.collection::<Document>("accounts").update_many(doc! {}, wrong).bypass_document_validation(true).await.unwrap();
    let recomputed = Account::recompute_all(&db).await.unwrap();
    assert_eq!((recomputed.parents, recomputed.refused, recomputed.examples), (30, 1, vec![3_i64.into()]));
    assert_eq!((with_cents(&db, 5).await, with_cents(&db, 1).await), (29, 1));
}

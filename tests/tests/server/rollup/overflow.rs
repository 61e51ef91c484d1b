//! A sum that does not fit 64 bits: the parent refuses it, the child says that it is pending, and it is applied as soon as it fits.

use schema_runtime::{Error, Throttle, prelude::*, schema, schema::Schema};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(sum(Booking::account, cents))]
    cents: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "bookings")]
struct Booking {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    account: Ref<Account>,
    cents: i64,
}

const SCHEMA: Schema = schema![Account, Booking];

#[tokio::test]
async fn a_sum_that_does_not_fit_waits_until_it_does() {
    let db = database().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Account::insert(&db, &Account { id: 1, cents: 0 }).await.unwrap();
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

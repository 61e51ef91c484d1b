//! Two writes of the same parcel in a transaction. The parent of the parcel was deleted before the transaction, and is
//! inserted again before the end of the transaction: the insert of the parent cannot see the writes of the transaction.

use schema_runtime::{prelude::*, transaction};
use schema_tests::{
    domain::{Customer, Ledger, ParcelWrite, begin, prepare},
    scale,
};

use super::wrong_after_recover;
use crate::steps::runtime;

/// The customer of parcel 1.
const CUSTOMER: &str = "number 1";

const FIRST: [ParcelWrite; 4] =
    [ParcelWrite::WeighOne, ParcelWrite::WeighMany, ParcelWrite::WeighFound, ParcelWrite::MoveBoth];

const SECOND: [ParcelWrite; 4] =
    [ParcelWrite::WeighUpsert, ParcelWrite::WeighMany, ParcelWrite::BulkUnordered, ParcelWrite::WeighFound];

#[test]
fn a_parent_comes_again_while_a_transaction_writes_its_child_twice() {
    let runtime = runtime();
    let ran = runtime.spawn(async {
        let db = schema_tests::database().await;
        prepare(&db).await;
        let mut found = Vec::new();
        let pairs = scale::DOMAIN_TOGETHER.now() as usize;
        for number in 0..pairs {
            // The first four pairs contain each write once.
            let (first, second) = (FIRST[number % FIRST.len()], SECOND[(number + number / FIRST.len()) % SECOND.len()]);
            let mut ledger = begin(&db).await.expect("the beginning");
            let customer = Customer::get_by_id(&db, CUSTOMER).await.expect("the customer");
            Customer::delete_by_id(&db, CUSTOMER).await.expect("a delete");
            let outside = &db;
            let customer = &customer;
            let answered = transaction(&db, |tx| async move {
                let mut own = Ledger::default();
                Box::pin(first.run([0, 1, 3], &tx, &mut own)).await?;
                Box::pin(second.run([0, 1, 2], &tx, &mut own)).await?;
                let (db, customer) = (outside.clone(), customer.clone());
                tokio::spawn(async move { Customer::insert(&db, &customer).await }).await.expect("no panic")?;
                Ok::<_, Error>(own)
            });
            ledger.join(answered.await.expect("a transaction"));
            let wrong = wrong_after_recover(&db, &ledger).await;
            if !wrong.is_empty() {
                found.push(format!("{first:?}, {second:?}: {wrong:#?}"));
            }
        }
        assert!(found.is_empty(), "{} of {pairs}:\n{}", found.len(), found.join("\n"));
    });
    runtime.block_on(ran).expect("see above");
}

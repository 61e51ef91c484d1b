//! A parent that the server refuses to write does not stop the `recover` of the remaining parents, and the report of
//! `recover` names the parent. Once the server accepts the parent, the next `recover` leaves all right.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{MaintenanceKind, Throttle};
use schema_tests::{
    domain::{ParcelWrite, Step, Work, begin, left, prepare, schema, wrong},
    scale,
};

use super::{leave_differences, wrong_after_recover};
use crate::steps::runtime;

/// The refused parent.
const REFUSED: i64 = 1;

async fn validator(db: &Database) -> Document {
    let found = db.list_collections().filter(doc! { "name": "routes" }).await.expect("a list");
    let found: Vec<_> = found.try_collect().await.expect("a list");
    found[0].options.validator.clone().expect("a validator")
}

async fn set_validator(db: &Database, validator: &Document) {
    db.run_command(doc! { "collMod": "routes", "validator": validator }).await.expect("a change of the collection");
}

/// Returns writes with a later count in the parents, from these numbers on: the first write is of a parcel of the route
/// 1.
fn writes(number: usize) -> Vec<Work> {
    const OTHERS: [ParcelWrite; 8] = {
        use ParcelWrite as W;
        [W::MoveBoth, W::Delete, W::WeighMany, W::WeighFound, W::MoveMany, W::BulkUnordered, W::Save, W::WeighOne]
    };
    let write = |write, at| Work::One(Step::Parcel(write, [at, at + 1, 3]));
    let others = (0..3).map(|at| write(OTHERS[(number * 3 + at) % OTHERS.len()], at as i64));
    [write(ParcelWrite::Weigh, 0)].into_iter().chain(others).collect()
}

#[test]
fn one_refused_parent_does_not_end_recover() {
    let runtime = runtime();
    let ran = runtime.spawn(async {
        let db = schema_tests::database().await;
        prepare(&db).await;
        let plain = validator(&db).await;
        let strict = doc! { "$and": [plain.clone(), { "_id": { "$ne": REFUSED } }] };
        let mut kept_back = 0;
        for number in 0..scale::DOMAIN_REFUSED.now() as usize {
            let mut ledger = begin(&db).await.expect("the beginning");
            leave_differences(&db, writes(number), &mut ledger).await;
            let all = left(&db).await.len();
            set_validator(&db, &strict).await;
            let recovered = schema().recover(&db, &Throttle::new()).await.expect("recover goes on");
            let refused = |parent: &'static str| {
                let of_parent = recovered.of(MaintenanceKind::PendingDifference).filter(|entry| entry.model == parent);
                of_parent.map(|entry| entry.refused).sum::<u64>()
            };
            let others: u64 = recovered.of(MaintenanceKind::PendingDifference).map(|entry| entry.refused).sum();
            assert_eq!((refused("Route"), others), (1, 1), "{number}: {recovered}");
            assert!(recovered.to_string().contains("refused"), "{recovered}");
            // All leftovers belong to the refused parent.
            let found = wrong(&db, &ledger).await;
            assert!(found.is_empty(), "{number}: {found:#?}");
            let left = left(&db).await;
            let is_refused = |left: &String| left.contains("\"path\": \"parcels_route\", \"parent\": 1,");
            assert!(
                !left.is_empty() && left.len() < all && left.iter().all(is_refused),
                "{number}: of {all} {left:#?}"
            );
            kept_back += left.len();
            set_validator(&db, &plain).await;
            let found = wrong_after_recover(&db, &ledger).await;
            assert!(found.is_empty(), "{number}: {found:#?}");
        }
        println!("{kept_back} differences were kept back");
    });
    runtime.block_on(ran).expect("see above");
}

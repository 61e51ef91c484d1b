//! One parent that the server refuses to write does not keep `recover` from the others, and its report says so. Once the server takes
//! it, the next `recover` leaves all right.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::Throttle;
use schema_tests::{
    Fault,
    domain::{ParcelWrite, Step, Work, begin, prepare, schema, wrong},
    scale,
};

use super::{stop_in, wrong_after_recover};
use crate::steps::runtime;

/// The parent that is refused.
const REFUSED: i64 = 1;

async fn validator(db: &Database) -> Document {
    let found = db.list_collections().filter(doc! { "name": "routes" }).await.expect("a list");
    let found: Vec<_> = found.try_collect().await.expect("a list");
    found[0].options.validator.clone().expect("a validator")
}

async fn set_validator(db: &Database, validator: &Document) {
    db.run_command(doc! { "collMod": "routes", "validator": validator }).await.expect("a change of the collection");
}

/// Writes of one parcel of each route, which stop: of the weight, of the route, and a delete.
fn writes() -> Vec<Work> {
    let write = |write, at| Work::One(Step::Parcel(write, [at, at + 1, 3]));
    let each = |of: ParcelWrite| (0..3).map(move |at| write(of, at));
    each(ParcelWrite::Weigh).chain([write(ParcelWrite::Delete, 0), write(ParcelWrite::Delete, 1)]).collect()
}

#[test]
fn one_refused_parent_does_not_end_recover() {
    let runtime = runtime();
    let ran = runtime.spawn(async {
        let db = schema_tests::database().await;
        prepare(&db).await;
        let plain = validator(&db).await;
        let strict = doc! { "$and": [plain.clone(), { "_id": { "$ne": REFUSED } }] };
        let (mut refused, mut kept_back) = (0, 0);
        for number in 0..scale::DOMAIN_REFUSED.now() as usize {
            // In the middle of the applies first.
            let at = 1 + (number + 2) % 8;
            let mut ledger = begin(&db).await.expect("the beginning");
            for number in 0..2 {
                // Of the first two routes.
                let insert = Work::One(Step::Parcel(ParcelWrite::Insert, [number, number, 1]));
                insert.run(&db, &mut ledger).await.expect("an insert");
            }
            let mut stopped = 0;
            for work in writes() {
                stopped += u32::from(stop_in(&db, &work, at, Fault::StopBefore, &mut ledger).await);
            }
            assert!(stopped > 0 || at > 5, "no write has a command {at}");
            set_validator(&db, &strict).await;
            let recovered = schema().recover(&db, &Throttle::new()).await.expect("recover goes on");
            let of_routes = recovered.rollups.iter().filter(|path| path.parent == "routes");
            let answered: u64 = of_routes.map(|path| path.refused).sum();
            let others: u64 = recovered.rollups.iter().map(|path| path.refused).sum();
            assert_eq!(answered, others, "before command {at}: another is refused: {recovered}");
            let found = wrong(&db, &ledger).await;
            let is_refused = |found: &&String| found.starts_with("routes.") && found.contains("{ \"_id\": 1,");
            let of_others: Vec<&String> = found.iter().filter(|found| !is_refused(found)).collect();
            assert!(of_others.is_empty(), "before command {at}: {of_others:#?}, {recovered}");
            assert!(found.is_empty() || answered > 0, "before command {at}: nothing tells of {found:#?}");
            assert!(answered == 0 || recovered.to_string().contains("refused"), "{recovered}");
            refused += answered;
            kept_back += found.len();
            set_validator(&db, &plain).await;
            let found = wrong_after_recover(&db, &ledger, true).await;
            assert!(found.is_empty(), "before command {at}: {found:#?}");
        }
        println!("{refused} refused, {kept_back} values were kept back");
        assert!(refused > 0 && kept_back > 0, "{refused} refused, {kept_back} values were kept back");
    });
    runtime.block_on(ran).expect("see above");
}

//! `recover` propagates the leftovers of a stopped client, for every step of the stop, and beside a concurrent recover.

use std::sync::{Arc, Mutex};

use mongodb::{
    Database,
    bson::{Bson, Document, Timestamp, doc, oid::ObjectId},
};
use schema_runtime::{Error, MaintenanceKind, Throttle, prelude::*};
use schema_tests::{database, database_with_log};

use super::{
    models::{Host, LogMsg, Part, Product},
    repair::{assert_in_sync, schema, shell, three_products},
    writes::{part, product, raw},
};

const SYNC: &str = "_sync_products_parts_partId";
const LOOK: &str = "_look_products_parts_partId";

async fn names(db: &Database, id: i64) -> Vec<String> {
    Product::get_by_id(db, &id).await.unwrap().parts.into_iter().map(|part| part.name).collect()
}

/// Does the first step of a write, and returns the new version.
async fn write(db: &Database, id: i64, name: &str) -> Timestamp {
    let set = doc! { "name": name, SYNC: ObjectId::new() };
    shell(db, "parts", id, doc! { "$set": set, "$currentDate": { "_v": { "$type": "timestamp" } } }).await;
    raw(db, "parts", id).await.get_timestamp("_v").unwrap()
}

/// Does the second step of the write, for a single holder.
async fn sweep(db: &Database, holder: i64, id: i64, name: &str, version: Timestamp) {
    let set = doc! { "$set": { "parts.$[c].name": name, "parts.$[c]._v_partId": version } };
    let products = db.collection::<Document>("products");
    let updated = products.update_one(doc! { "_id": holder }, set);
    updated.array_filters([doc! { "c.partId": id }]).await.unwrap();
}

/// Sets the marks of a holder again, as if the inserting client had not cleared the marks.
async fn marked(db: &Database, holder: i64) {
    shell(db, "products", holder, doc! { "$set": { LOOK: ObjectId::new() } }).await;
}

/// Tests every step at which a client can stop, separately.
#[tokio::test]
async fn whatever_the_step_at_which_a_client_stopped() {
    let stops =
        ["written", "half swept", "swept", "inserted again", "inserted", "repaired", "re-assigned", "recovering"];
    for stop in stops {
        let db = database().await;
        three_products(&db).await;
        let mut expected = ["bolt", "nut", "bolt"];
        match stop {
            "written" => {
                write(&db, 1, "bolt 2").await;
                expected = ["bolt 2", "nut", "bolt 2"];
            }
            "half swept" | "swept" => {
                let version = write(&db, 2, "nut 2").await;
                sweep(&db, 11, 2, "nut 2", version).await;
                if stop == "swept" {
                    sweep(&db, 10, 2, "nut 2", version).await;
                }
                expected[1] = "nut 2";
            }
            "inserted again" => {
                Part::delete_by_id(&db, &1).await.unwrap();
                let again = doc! { "_id": 1_i64, "name": "again", "madeIn": null, "qty": 1, SYNC: ObjectId::new() };
                db.collection::<Document>("parts").insert_one(again).await.unwrap();
                expected = ["again", "nut", "again"];
            }
            // The source changed after the client's read: the holder has the values from before the change.
            "inserted" | "repaired" => {
                marked(&db, 10).await;
                let version = write(&db, 2, "nut 2").await;
                shell(&db, "parts", 2, doc! { "$unset": { SYNC: "" } }).await;
                sweep(&db, 11, 2, "nut 2", version).await;
                if stop == "repaired" {
                    sweep(&db, 10, 2, "nut 2", version).await;
                }
                expected[1] = "nut 2";
            }
            "re-assigned" => {
                let old = Timestamp { time: 1, increment: 1 };
                let copy = doc! { "partId": 2_i64, "name": "of before", "madeIn": null, "amount": 1, "_v_partId": old };
                shell(&db, "products", 10, doc! { "$set": { "parts.0": copy } }).await;
                marked(&db, 10).await;
                expected[0] = "nut";
            }
            _ => {
                let version = write(&db, 1, "bolt 2").await;
                sweep(&db, 10, 1, "bolt 2", version).await;
                shell(&db, "parts", 1, doc! { "$currentDate": { "_v": { "$type": "timestamp" } } }).await;
                shell(&db, "parts", 1, doc! { "$set": { SYNC: ObjectId::new() } }).await;
                expected = ["bolt 2", "nut", "bolt 2"];
            }
        }
        let recovered = schema().recover(&db, &Throttle::new()).await.unwrap();
        assert_eq!((recovered.entries().len(), recovered.refused()), (1, 0), "{stop}: {recovered}");
        assert_eq!(recovered.entries()[0].written, 1, "{stop}: {recovered}");
        assert_eq!(names(&db, 10).await, expected, "{stop}");
        assert_in_sync(&db).await;
        assert_eq!(schema().recover(&db, &Throttle::new()).await.unwrap().to_string(), "nothing to recover");
    }
}

#[tokio::test]
async fn a_source_that_is_gone_leaves_its_copies_and_no_marks() {
    let db = database().await;
    three_products(&db).await;
    write(&db, 2, "nut 2").await;
    marked(&db, 11).await;
    Part::delete_by_id(&db, &2).await.unwrap();
    let recovered = schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(recovered.to_string(), "Product.parts.partId: 1 holder to check again, 1 document written");
    assert_eq!(names(&db, 11).await, ["nut"]);
    let report = schema().verify(&db).await.unwrap();
    assert!(report.pending().is_empty(), "{report}");
}

/// A holder that the validator refuses, since another program bypassed the validator, does not keep the copies from the
/// remaining holders.
#[tokio::test]
async fn a_holder_that_is_refused_is_left_out() {
    let db = database().await;
    three_products(&db).await;
    let products = db.collection::<Document>("products");
    let mut invalid = raw(&db, "products", 10).await;
    invalid.insert("_id", 1_i64);
    invalid.insert("title", 5);
    products.insert_one(&invalid).bypass_document_validation(true).await.unwrap();
    invalid.insert("_id", 2_i64);
    invalid.insert(LOOK, ObjectId::new());
    products.insert_one(&invalid).bypass_document_validation(true).await.unwrap();

    let error = Part::update_many(Filter::all()).set(Part::F.name, "new").execute(&db).await.unwrap_err();
    assert!(
        matches!(&error, Error::CopiesPending { source, .. } if matches!(**source, Error::DocumentInvalid { .. })),
        "{error}"
    );
    assert_eq!(names(&db, 10).await, ["new"; 3]);
    marked(&db, 11).await;
    shell(&db, "parts", 2, doc! { "$set": { "name": "newer" } }).await;
    let recovered = schema().recover(&db, &Throttle::new()).await.unwrap();
    assert!(recovered.refused() >= 3, "{recovered:?}");
    assert!(recovered.to_string().contains(" that the server refused"), "{recovered}");
    let mut examples = recovered.entries().iter().flat_map(|entry| &entry.examples);
    assert!(examples.any(|example| example.id == Bson::Int64(2)), "{recovered:?}");
    assert_eq!(
        (names(&db, 10).await, names(&db, 11).await),
        (vec!["new".into(), "newer".into(), "new".into()], vec!["newer".to_owned()])
    );
    let report = schema().verify(&db).await.unwrap();
    let pending: Vec<_> = report.pending().iter().map(|entry| (entry.kind, entry.found)).collect();
    assert_eq!(pending, [(MaintenanceKind::PendingSource, 2), (MaintenanceKind::PendingHolder, 1)], "{report}");

    products.update_many(doc! { "title": 5 }, doc! { "$set": { "title": "repaired" } }).await.unwrap();
    schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_in_sync(&db).await;
}

/// Two concurrent recovers with marks of 2,000 sources and 2,000 holders: few commands for many marks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_marks_and_two_recovers_at_once() {
    let (db, log) = database_with_log().await;
    schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    Part::insert_many(&db, (0..2_000).map(|id| part(id, "old")).collect::<Vec<_>>()).await.unwrap();
    let products: Vec<_> = (0..2_000).map(|id| product(id, &[id, (id + 1) % 2_000])).collect();
    Product::insert_many(&db, &products).await.unwrap();
    let mark_all = async || {
        Part::update_many(Filter::all()).set(Part::F.name, "new").defer_copies().execute(&db).await.unwrap();
        let look = doc! { "$set": { LOOK: ObjectId::new() } };
        db.collection::<Document>("products").update_many(doc! {}, look).await.unwrap();
    };
    mark_all().await;
    let reported = Arc::new(Mutex::new((0, None)));
    let telling = Arc::clone(&reported);
    log.clear();
    let throttle = Throttle::new().progress(move |progress| *telling.lock().unwrap() = (progress.done, progress.total));
    let recovered = schema().recover(&db, &throttle).await.unwrap();
    let [sources, holders] = [MaintenanceKind::PendingSource, MaintenanceKind::PendingHolder];
    assert_eq!((recovered.found(sources), recovered.found(holders)), (2_000, 2_000));
    assert_eq!(*reported.lock().unwrap(), (4_000, Some(4_000)));
    assert!(log.commands().len() < 120, "{}", log.commands().len());
    assert_in_sync(&db).await;

    Part::update_many(Filter::all()).set(Part::F.name, "before").execute(&db).await.unwrap();
    mark_all().await;
    let throttle = Throttle::new();
    let recover = async || schema().recover(&db, &throttle).await;
    let (one, other) = tokio::join!(recover(), recover());
    one.and(other).unwrap();
    assert_in_sync(&db).await;
    assert_eq!(names(&db, 7).await, ["new", "new"]);
}

/// A fan-out without a bound goes in chunks, from the place of the stop.
#[tokio::test]
async fn an_unbounded_fan_out_is_carried_again() {
    let db = database().await;
    schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert(&db, &Host { id: 1, name: "host".to_owned(), ipaddr: "old".to_owned() }).await.unwrap();
    let message = |id| LogMsg {
        id,
        host: Ref::new(1),
        ipaddr: String::new(),
        time: DateTime::from_millis(id),
        message: "up".to_owned(),
    };
    LogMsg::insert_many(&db, (0..500).map(message).collect::<Vec<_>>()).await.unwrap();
    Host::update_by_id(1).set(Host::F.ipaddr, "new").defer_copies().execute(&db).await.unwrap();
    schema().recover(&db, &Throttle::new().chunk(100)).await.unwrap();
    assert_eq!(LogMsg::find(LogMsg::F.ipaddr.eq("new")).count(&db).await.unwrap(), 500);
    assert_in_sync(&db).await;
}

/// Old sources without a version: a source does not fit the validator, and the remaining sources get a version.
#[tokio::test]
async fn a_source_that_cannot_get_a_version() {
    let db = database().await;
    schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    let (parts, products) = (db.collection::<Document>("parts"), db.collection::<Document>("products"));
    let part = |id: i64, qty: Bson| doc! { "_id": id, "name": format!("part {id}"), "madeIn": null, "qty": qty };
    parts.insert_many([part(1, 1.into()), part(3, 1.into())]).await.unwrap();
    parts.insert_one(part(2, "many".into())).bypass_document_validation(true).await.unwrap();
    let holds = |id: i64| doc! { "partId": id, "name": "old", "madeIn": null, "amount": 1 };
    let stored = doc! { "_id": 1_i64, "title": "t", "parts": [holds(1), holds(2), holds(3)], "main": null };
    products.insert_one(stored).await.unwrap();
    let filled = schema().backfill(&db, &Throttle::new()).await.unwrap();
    let [entry] = filled.entries() else { panic!("{filled}") };
    assert_eq!((entry.refused, entry.examples.len(), &entry.examples[0].id), (1, 1, &Bson::Int64(1)), "{filled}");
    assert_eq!(names(&db, 1).await, ["part 1", "old", "part 3"]);
    // The source exists: an insert of a new holder is refused, and the error says why the source cannot be copied.
    let error = Product::insert(&db, &product(5, &[2])).await.unwrap_err();
    assert!(matches!(error, Error::DocumentInvalid { .. }), "{error}");
    parts.update_one(doc! { "_id": 2_i64 }, doc! { "$set": { "qty": 2 } }).await.unwrap();
    schema().backfill(&db, &Throttle::new()).await.unwrap();
    assert_eq!(names(&db, 1).await, ["part 1", "part 2", "part 3"]);
    assert_in_sync(&db).await;
}

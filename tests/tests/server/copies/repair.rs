//! `verify` finds the stale copies after writes that bypass this crate; `repair` writes these copies again, and no
//! further copies.

use std::sync::{Arc, Mutex};

use mongodb::{
    Database,
    bson::{Bson, Document, Timestamp, doc},
};
use schema_runtime::{
    Error, MaintenanceEntry, MaintenanceKind, MaintenanceReport, Schema, Throttle,
    local::{Server, Topology},
    prelude::*,
    verify::VerifyReport,
};
use schema_tests::{database, database_with_log};

use super::{
    models::{Host, LogMsg, Offer, Part, Product, Supplier},
    writes::{assert_no_marks, part, product, raw},
};

pub(super) fn schema() -> Schema {
    schema![Product, Part, Host, LogMsg, Offer, Supplier]
}

pub(super) fn stale(report: &VerifyReport) -> Vec<&MaintenanceEntry> {
    report.derived().filter(|entry| entry.kind == MaintenanceKind::StaleCopy).collect()
}

/// Returns the number of copies without a source.
fn gone(report: &VerifyReport) -> u64 {
    let gone = report.derived().filter(|entry| entry.kind == MaintenanceKind::CopyWithoutSource);
    gone.map(|entry| entry.found).sum()
}

/// Returns the number of repaired copies.
pub(super) fn copies(repaired: &MaintenanceReport) -> u64 {
    repaired.found(MaintenanceKind::StaleCopy)
}

/// Checks that no copy is stale, and that no mark is left.
pub(super) async fn assert_in_sync(db: &Database) {
    let report = schema().verify(db).await.unwrap();
    assert!(stale(&report).is_empty() && report.pending().is_empty(), "{report}");
    assert_no_marks(db).await;
}

/// Runs an update like the shell, without this crate.
pub(super) async fn shell(db: &Database, collection: &str, id: i64, update: Document) {
    let updated = db.collection::<Document>(collection).update_one(doc! { "_id": id }, update).await.unwrap();
    assert_eq!(updated.matched_count, 1);
}

async fn names(db: &Database, id: i64) -> Vec<String> {
    Product::get_by_id(db, &id).await.unwrap().parts.into_iter().map(|part| part.name).collect()
}

pub(super) async fn three_products(db: &Database) {
    schema().plan(db).await.unwrap().apply(db).await.unwrap();
    Part::insert_many(db, &[part(1, "bolt"), part(2, "nut")]).await.unwrap();
    Product::insert_many(db, &[product(10, &[1, 2, 1]), product(11, &[2]), product(12, &[])]).await.unwrap();
}

#[tokio::test]
async fn a_source_that_the_shell_wrote_is_found_and_repaired() {
    let db = database().await;
    three_products(&db).await;
    assert_in_sync(&db).await;
    shell(&db, "parts", 1, doc! { "$set": { "name": "raw" } }).await;

    let report = schema().verify(&db).await.unwrap();
    let found = stale(&report);
    assert_eq!(found.len(), 1, "{report}");
    assert_eq!((found[0].model, found[0].path.as_str()), ("Product", "parts.partId"));
    assert_eq!((found[0].found, found[0].documents, gone(&report)), (2, 1, 0));
    let example = &found[0].examples[0];
    assert_eq!((&example.id, &example.related), (&Bson::Int64(10), &Some(Bson::Int64(1))));
    assert!(report.to_string().starts_with("Product.parts.partId: 2 stale copies in 1 document\n  10 -> 1\n"));

    let repaired = schema().repair(&db, &Throttle::new()).await.unwrap();
    assert_eq!(repaired.to_string(), "Product.parts.partId: 2 stale copies in 1 document, 1 document written");
    assert_eq!((copies(&repaired), repaired.entries()[0].read), (2, 3));
    assert_eq!(names(&db, 10).await, ["raw", "nut", "raw"]);
    assert_in_sync(&db).await;
    let again = schema().repair(&db, &Throttle::new()).await.unwrap();
    assert_eq!((copies(&again), again.to_string()), (0, "nothing to repair".to_owned()));
}

/// A copy with a new version, or with the newest version, may have a wrong value all the same.
#[tokio::test]
async fn copies_that_the_shell_wrote_are_repaired_and_no_others() {
    let db = database().await;
    three_products(&db).await;
    let untouched = raw(&db, "products", 11).await;
    shell(&db, "products", 10, doc! { "$set": { "parts.0.name": "raw" }, "$unset": { "parts.1._v_partId": "" } }).await;
    let report = schema().verify(&db).await.unwrap();
    assert_eq!((stale(&report)[0].found, stale(&report)[0].documents), (2, 1), "{report}");
    schema().repair(&db, &Throttle::new()).await.unwrap();
    assert_eq!(names(&db, 10).await, ["bolt", "nut", "bolt"]);
    assert_eq!(raw(&db, "products", 11).await, untouched);
    assert_in_sync(&db).await;
}

/// The shell replaced the source: without a version, with an old version, and with values that the struct leaves out.
#[tokio::test]
async fn a_source_that_the_shell_replaced_is_repaired() {
    let db = database().await;
    three_products(&db).await;
    let parts = db.collection::<Document>("parts");
    parts.replace_one(doc! { "_id": 1 }, doc! { "_id": 1, "name": "raw 1", "qty": 1, "madeIn": "Rome" }).await.unwrap();
    let mut other = raw(&db, "parts", 2).await;
    other.insert("name", "raw 2");
    other.insert("_v", Timestamp { time: 1, increment: 1 });
    parts.replace_one(doc! { "_id": 2 }, other).await.unwrap();
    let repaired = schema().repair(&db, &Throttle::new().chunk(1)).await.unwrap();
    assert_eq!((copies(&repaired), repaired.entries()[0].documents), (4, 2));
    assert_eq!(names(&db, 10).await, ["raw 1", "raw 2", "raw 1"]);
    assert_eq!(Product::get_by_id(&db, &10).await.unwrap().parts[0].made_in.as_deref(), Some("Rome"));
    assert_in_sync(&db).await;
    Part::update_by_id(2).set(Part::F.name, "nut 2").execute(&db).await.unwrap();
    assert_eq!(names(&db, 11).await, ["nut 2"]);
}

#[tokio::test]
async fn what_is_marked_is_pending_and_what_is_gone_is_counted_apart() {
    let db = database().await;
    three_products(&db).await;
    Part::update_by_id(1).set(Part::F.name, "later").defer_copies().execute(&db).await.unwrap();
    let old = Timestamp { time: 1, increment: 1 };
    let look = doc! { "parts.0.name": "raw", "parts.0._v_partId": old, "_look_products_parts_partId": "somebody" };
    shell(&db, "products", 11, doc! { "$set": look }).await;
    let report = schema().verify(&db).await.unwrap();
    assert!(report.findings().is_empty() && !report.is_clean(), "{report}");
    let pending: Vec<_> = report.pending().iter().map(|entry| (entry.model, entry.kind, entry.found)).collect();
    let [source, holder] = [MaintenanceKind::PendingSource, MaintenanceKind::PendingHolder];
    assert_eq!(pending, [("Product", source, 1), ("Product", holder, 1)]);
    assert!(report.to_string().contains("Product.parts.partId: 1 source with pending copies: `recover`"), "{report}");
    assert_eq!(copies(&schema().repair(&db, &Throttle::new()).await.unwrap()), 0);

    schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_in_sync(&db).await;
    // A look would not repair this copy: the version of the copy is the version of the source.
    let look = doc! { "parts.0.name": "raw", "_look_products_parts_partId": "somebody" };
    shell(&db, "products", 11, doc! { "$set": look }).await;
    assert_eq!(stale(&schema().verify(&db).await.unwrap())[0].found, 1);
    assert_eq!(copies(&schema().repair(&db, &Throttle::new()).await.unwrap()), 1);
    schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_in_sync(&db).await;
    Part::delete_by_id(&db, &2).await.unwrap();
    let report = schema().verify(&db).await.unwrap();
    assert_eq!((stale(&report).len(), gone(&report)), (0, 2), "{report}");
    assert!(report.to_string().contains("Product.parts.partId: 2 copies without a source"), "{report}");
    let repaired = schema().repair(&db, &Throttle::new()).await.unwrap();
    assert_eq!((copies(&repaired), repaired.found(MaintenanceKind::CopyWithoutSource)), (0, 2));
    assert_eq!(names(&db, 10).await, ["later", "nut", "later"]);
}

/// References that this crate never writes break nothing.
#[tokio::test]
async fn strange_holders_break_nothing() {
    let db = database().await;
    three_products(&db).await;
    let strange = ["x".into(), Bson::Null, doc! { "$gt": "" }.into(), vec![Bson::Int32(1)].into(), 1.0.into()];
    let mut holders = Vec::new();
    for (id, reference) in strange.into_iter().enumerate() {
        let part = doc! { "partId": reference, "name": "?", "amount": 1 };
        holders.push(doc! { "_id": 100 + id as i64, "title": "?", "parts": [part] });
    }
    holders.push(doc! { "_id": 200_i64, "title": "?", "parts": "text" });
    let products = db.collection::<Document>("products");
    products.insert_many(holders).bypass_document_validation(true).await.unwrap();
    let report = schema().verify(&db).await.unwrap();
    assert_eq!((stale(&report)[0].found, gone(&report)), (1, 3), "{report}");
    // The validator refuses a reference that is a double: the repair of that document is refused, and the documents
    // beside it are written.
    shell(&db, "products", 10, doc! { "$set": { "parts.0.name": "raw" } }).await;
    shell(&db, "products", 12, doc! { "$set": { "parts": [{ "partId": 1_i64, "name": "raw", "amount": 1 }] } }).await;
    let repaired = schema().repair(&db, &Throttle::new()).await.unwrap();
    assert_eq!((copies(&repaired), repaired.refused()), (3, 1));
    assert!(repaired.to_string().contains(" written, but for 1 document that the server refused: 104"), "{repaired}");
    assert_eq!((names(&db, 10).await[0].as_str(), names(&db, 12).await[0].as_str()), ("bolt", "bolt"));
    db.run_command(doc! { "collMod": "products", "validator": {} }).await.unwrap();
    assert_eq!(copies(&schema().repair(&db, &Throttle::new()).await.unwrap()), 1);
    assert_eq!(
        raw(&db, "products", 104).await.get_array("parts").unwrap()[0].as_document().unwrap()["name"],
        "bolt".into()
    );
}

/// A repair beside live writers replaces no newer value by an older value, and leaves all copies in sync.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repair_beside_writers_and_another_repair() {
    let db = database().await;
    three_products(&db).await;
    let write = async |id: i64| {
        for round in 0..40 {
            Part::update_by_id(id).set(Part::F.name, format!("{id} {round}")).execute(&db).await.unwrap();
            if round % 4 == 0 {
                shell(&db, "products", 10, doc! { "$set": { "parts.1.name": "raw" } }).await;
                shell(&db, "parts", id, doc! { "$set": { "madeIn": format!("raw {round}") } }).await;
            }
        }
    };
    let repair = async || {
        for _ in 0..40 {
            schema().repair(&db, &Throttle::new()).await.unwrap();
        }
    };
    tokio::join!(write(1), write(2), repair(), repair());
    schema().recover(&db, &Throttle::new()).await.unwrap();
    schema().repair(&db, &Throttle::new()).await.unwrap();
    assert_in_sync(&db).await;
    assert_eq!(names(&db, 10).await, ["1 39", "2 39", "1 39"]);
}

#[tokio::test]
async fn copies_that_were_declared_after_the_data_are_filled() {
    let db = database().await;
    let products = db.collection::<Document>("products");
    db.collection::<Document>("parts").insert_one(doc! { "_id": 1_i64, "name": "bolt", "qty": 1 }).await.unwrap();
    let holders = (0..25_i64).map(|id| {
        let parts = [doc! { "partId": 1_i64, "amount": 1 }, doc! { "partId": 7_i64, "amount": 1 }];
        doc! { "_id": id, "title": "?", "parts": parts.to_vec() }
    });
    products.insert_many(holders).bypass_document_validation(true).await.unwrap();
    Part::insert(&db, &part(2, "nut")).await.unwrap();
    Product::insert(&db, &product(100, &[2])).await.unwrap();
    let untouched = raw(&db, "products", 100).await;

    let reported = Arc::new(Mutex::new(Vec::new()));
    let telling = Arc::clone(&reported);
    let throttle = Throttle::new()
        .chunk(10)
        .progress(move |progress| telling.lock().unwrap().push((progress.done, progress.total)));
    let filled = schema().backfill(&db, &throttle).await.unwrap();
    let [gone, filled] = filled.entries() else { panic!("{filled}") };
    assert_eq!((gone.kind, gone.found), (MaintenanceKind::CopyWithoutSource, 25));
    assert_eq!(filled.to_string(), "Product.parts.partId: 25 incomplete copies, 25 documents written");
    let reported = reported.lock().unwrap().clone();
    assert!(reported.len() >= 3 && reported.is_sorted() && reported.last() == Some(&(25, Some(25))), "{reported:?}");
    let stored = raw(&db, "products", 3).await;
    let copy = stored.get_array("parts").unwrap()[0].as_document().unwrap();
    assert_eq!(copy.get_str("name").unwrap(), "bolt");
    assert!(copy.get_timestamp("_v_partId").is_ok());
    assert_eq!(raw(&db, "products", 100).await, untouched);
    let again = schema().backfill(&db, &Throttle::new()).await.unwrap();
    assert_eq!(again.found(MaintenanceKind::IncompleteCopy), 0, "{again}");
}

#[tokio::test]
async fn followed_copies_are_repaired_without_a_write_of_their_source() {
    let (db, log) = database_with_log().await;
    schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    let suppliers = db.collection::<Document>("suppliers");
    suppliers.insert_one(doc! { "_id": 1_i64, "name": "Ann" }).await.unwrap();
    let offer = |id| Offer { id, supplier: Ref::new(1), supplied_by: "?".to_owned() };
    Offer::insert_many(&db, &[offer(1), offer(2)]).await.unwrap();
    assert_in_sync(&db).await;
    shell(&db, "suppliers", 1, doc! { "$set": { "name": "Bob" } }).await;
    assert_eq!(stale(&schema().verify(&db).await.unwrap())[0].found, 2);
    log.clear();
    assert_eq!(copies(&schema().repair(&db, &Throttle::new()).await.unwrap()), 2);
    assert!(log.named("findAndModify").is_empty());
    assert!(log.named("update").iter().all(|update| update.get_str("update").is_ok_and(|name| name == "offers")));
    let stored = raw(&db, "offers", 2).await;
    assert!(
        stored.get_str("supplied_by").is_ok_and(|name| name == "Bob") && stored.get_timestamp("_v_supplier").is_ok(),
        "{stored}"
    );
    assert_in_sync(&db).await;
}

#[tokio::test]
async fn a_standalone_repairs_what_the_crate_writes() {
    let server = Server::builder().own(true).topology(Topology::Standalone).start().await.unwrap();
    let db = server.client().await.unwrap().database("copies");
    three_products(&db).await;
    shell(&db, "parts", 1, doc! { "$set": { "name": "raw" } }).await;
    assert_eq!(copies(&schema().repair(&db, &Throttle::new()).await.unwrap()), 2);
    assert_eq!(names(&db, 10).await, ["raw", "nut", "raw"]);

    db.collection::<Document>("suppliers").insert_one(doc! { "_id": 1_i64, "name": "Ann" }).await.unwrap();
    Offer::insert(&db, &Offer { id: 1, supplier: Ref::new(1), supplied_by: String::new() }).await.unwrap();
    shell(&db, "suppliers", 1, doc! { "$set": { "name": "Bob" } }).await;
    let error = schema().repair(&db, &Throttle::new()).await.unwrap_err();
    assert!(matches!(error, Error::NotReplicaSet), "{error}");
}

/// Copies beside a null reference: an older program has written the copies, and every program reads the copies.
#[tokio::test]
async fn copies_of_nothing_are_taken_away() {
    let db = database().await;
    let schema = schema![Trip, City];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    City::insert(&db, &City { id: 1, name: "Rome".to_owned() }).await.unwrap();
    let trips = [
        doc! { "_id": 1_i64, "to": null, "to_name": "Rome", "stops": [] },
        doc! { "_id": 2_i64, "to": 1_i64, "to_name": "Rome", "stops": [
            { "city": null, "name": null }, { "city": 1_i64, "name": "Rome" }, { "city": null, "name": null },
        ] },
        doc! { "_id": 3_i64, "to": null, "to_name": null, "stops": [] },
    ];
    db.collection::<Document>("trips").insert_many(trips).await.unwrap();
    schema.backfill(&db, &Throttle::new()).await.unwrap();
    shell(&db, "trips", 2, doc! { "$set": { "stops.0.name": "Oslo" } }).await;
    let report = schema.verify(&db).await.unwrap();
    let found: Vec<(&str, u64)> = stale(&report).iter().map(|found| (&*found.path, found.found)).collect();
    assert_eq!(found, [("to", 1), ("stops.city", 1)], "{report}");
    assert!(report.to_string().contains("\n  1 -> null"), "{report}");
    assert_eq!(copies(&schema.repair(&db, &Throttle::new()).await.unwrap()), 2);
    assert!(schema.verify(&db).await.unwrap().is_clean());
    assert_eq!(raw(&db, "trips", 1).await, doc! { "_id": 1_i64, "to": null, "to_name": null, "stops": [] });
    let stops = raw(&db, "trips", 2).await;
    let names: Vec<Option<&str>> =
        stops.get_array("stops").unwrap().iter().map(|stop| stop.as_document().unwrap().get_str("name").ok()).collect();
    assert_eq!(names, [None, Some("Rome"), None]);
}

#[derive(Model, Serialize, Deserialize, Debug, Clone)]
#[model(collection = "cities")]
struct City {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Trip::to_name, fan_out = 100)]
    #[copied_to(Trip::stops, fan_out = 100)]
    name: String,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone)]
struct Stop {
    city: Option<Ref<City>>,
    #[denormalize(from = city.name)]
    name: Option<String>,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone)]
#[model(collection = "trips")]
struct Trip {
    #[serde(rename = "_id")]
    id: i64,
    to: Option<Ref<City>>,
    #[denormalize(from = to.name)]
    to_name: Option<String>,
    #[relation(one_to_few, embed, max = 20)]
    stops: Vec<Stop>,
}

/// The clock of the server was set back, or the data were restored from a server with a later clock: no new version is
/// newer than the stored version.
#[tokio::test]
async fn a_copy_whose_version_lies_in_the_future_is_repaired() {
    let db = database().await;
    three_products(&db).await;
    Host::insert(&db, &Host { id: 1, name: "one".to_owned(), ipaddr: "127.0.0.1".to_owned() }).await.unwrap();
    let message = LogMsg {
        id: 1,
        host: Ref::new(1),
        ipaddr: String::new(),
        time: DateTime::from_millis(1),
        message: String::new(),
    };
    LogMsg::insert_many(&db, &[message.clone(), LogMsg { id: 2, ..message }]).await.unwrap();
    let future = Timestamp { time: u32::MAX - 1, increment: 1 };
    shell(&db, "products", 10, doc! { "$set": { "parts.0._v_partId": future, "parts.0.name": "ahead" } }).await;
    shell(&db, "logmsg", 1, doc! { "$set": { "_v_host": future, "ipaddr": "ahead" } }).await;
    let report = schema().verify(&db).await.unwrap();
    assert_eq!(stale(&report).len(), 2, "{report}");
    assert_eq!(copies(&schema().repair(&db, &Throttle::new()).await.unwrap()), 2);
    assert_in_sync(&db).await;
    assert_eq!(names(&db, 10).await, ["bolt", "nut", "bolt"]);
    // Writes reach the copy again.
    Part::update_by_id(1).set(Part::F.name, "screw").execute(&db).await.unwrap();
    Host::update_by_id(1).set(Host::F.ipaddr, "127.0.0.2").execute(&db).await.unwrap();
    assert_eq!(names(&db, 10).await, ["screw", "nut", "screw"]);
    assert_in_sync(&db).await;
}

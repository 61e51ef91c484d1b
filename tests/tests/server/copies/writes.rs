//! Every write of a copied field propagates the copies, and every write of a reference fills the copies beside the
//! reference.

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Error, MaintenanceKind, Throttle, prelude::*, transaction};
use schema_tests::database;

use super::models::{Host, LogMsg, Part, PartRef, Product};

pub(super) fn part(id: i64, name: &str) -> Part {
    Part { id, name: name.to_owned(), made_in: None, qty: 1 }
}

/// Returns a reference as a caller makes the reference: with copies that differ from the source.
pub(super) fn refers(id: i64) -> PartRef {
    PartRef { id: Ref::new(id), name: "?".to_owned(), made_in: Some("?".to_owned()), amount: 1 }
}

pub(super) fn product(id: i64, parts: &[i64]) -> Product {
    Product { id, title: format!("product {id}"), parts: parts.iter().copied().map(refers).collect(), main: None }
}

pub(super) async fn raw(db: &Database, collection: &str, id: i64) -> Document {
    db.collection::<Document>(collection).find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

async fn names(db: &Database, id: i64) -> Vec<String> {
    Product::get_by_id(db, &id).await.unwrap().parts.into_iter().map(|part| part.name).collect()
}

/// Checks that no source has a mark, and that no holder has a mark after a recover of the holders with a pending clear.
pub(super) async fn assert_no_marks(db: &Database) {
    let recovered = schema![Product, Part, Host, LogMsg].recover(db, &Throttle::new()).await.unwrap();
    assert!(recovered.found(MaintenanceKind::PendingSource) == 0, "{recovered:?}");
    for name in db.list_collection_names().await.unwrap() {
        let collection = db.collection::<Document>(&name);
        let mut found = collection.find(doc! {}).await.unwrap();
        while found.advance().await.unwrap() {
            let document = Document::try_from(found.current()).unwrap();
            let is_mark = |name: &String| ["_sync", "_look", "_pending"].iter().any(|mark| name.starts_with(mark));
            assert!(!document.keys().any(is_mark), "{document}");
        }
    }
}

async fn two_parts(db: &Database) {
    Part::insert_many(db, &[part(1, "bolt"), part(2, "nut")]).await.unwrap();
    Product::insert(db, &product(10, &[1, 2, 1])).await.unwrap();
    Product::insert(db, &product(11, &[2])).await.unwrap();
}

#[tokio::test]
async fn an_insert_has_the_values_of_its_sources() {
    let db = database().await;
    Part::insert(&db, &Part { made_in: Some("Oslo".to_owned()), ..part(1, "bolt") }).await.unwrap();
    Part::insert(&db, &part(2, "nut")).await.unwrap();
    let mut created = product(10, &[1, 2]);
    Product::create(&db, &mut created).await.unwrap();
    assert_eq!(created.parts[0].name, "bolt");
    assert_eq!(created.parts[0].made_in.as_deref(), Some("Oslo"));
    assert_eq!(created, Product::get_by_id(&db, &10).await.unwrap());
    let stored = raw(&db, "products", 10).await;
    let parts = stored.get_array("parts").unwrap();
    assert_eq!(parts[1].as_document().unwrap().get_str("name").unwrap(), "nut");
    assert!(parts[1].as_document().unwrap().get_timestamp("_v_partId").is_ok(), "{stored}");
    assert_no_marks(&db).await;

    let error = Product::insert(&db, &product(11, &[1, 3])).await.unwrap_err();
    assert!(
        matches!(&error, Error::DanglingReference { relation, id, holder, .. } if relation == "Product.parts.partId"
            && **id == 3_i64.into() && **holder == 11_i64.into()),
        "{error}"
    );
    assert_eq!(Product::find(Filter::all()).count(&db).await.unwrap(), 1);
}

#[tokio::test]
async fn each_kind_of_write_carries_its_copies() {
    let db = database().await;
    two_parts(&db).await;
    Part::update_by_id(1).set(Part::F.name, "bolt 2").execute(&db).await.unwrap();
    assert_eq!(names(&db, 10).await, ["bolt 2", "nut", "bolt 2"]);

    Part::update_one(Part::F.name.eq("nut")).set(Part::F.name, "nut 2").execute(&db).await.unwrap();
    assert_eq!(names(&db, 10).await, ["bolt 2", "nut 2", "bolt 2"]);
    assert_eq!(names(&db, 11).await, ["nut 2"]);

    let many = Part::update_many(Filter::all()).set(Part::F.name, "same").execute(&db).await.unwrap();
    assert_eq!((many.matched, names(&db, 10).await), (2, vec!["same".to_owned(); 3]));

    let one = Part::find_one_and_update(Part::F.id.eq(1)).set(Part::F.name, "bolt 3").fetch_after(&db).await.unwrap();
    assert_eq!(one.unwrap().name, "bolt 3");
    assert_eq!(names(&db, 10).await, ["bolt 3", "same", "bolt 3"]);
    let one = Part::find_one_and_update(Part::F.id.eq(1)).set(Part::F.name, "bolt 4").fetch_before(&db).await.unwrap();
    assert_eq!(one.unwrap().name, "bolt 3");
    assert_eq!(names(&db, 10).await, ["bolt 4", "same", "bolt 4"]);

    Part::replace(&db, &part(1, "bolt 5")).await.unwrap();
    assert_eq!(names(&db, 10).await, ["bolt 5", "same", "bolt 5"]);
    let mut saved = part(2, "nut 5");
    Part::save(&db, &mut saved).await.unwrap();
    assert_eq!(names(&db, 10).await, ["bolt 5", "nut 5", "bolt 5"]);

    Part::update_by_id(2).set(Part::F.name, "nut 6").set(Part::F.qty, 2).upsert().execute(&db).await.unwrap();
    assert_eq!(names(&db, 11).await, ["nut 6"]);

    let bulk = Part::bulk().update(Part::update_by_id(1).set(Part::F.name, "bolt 7")).replace(&part(2, "nut 7"));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(names(&db, 10).await, ["bolt 7", "nut 7", "bolt 7"]);

    transaction(&db, |tx| async move { Part::update_by_id(1).set(Part::F.name, "bolt 8").execute(&tx).await })
        .await
        .unwrap();
    assert_eq!(names(&db, 10).await, ["bolt 8", "nut 7", "bolt 8"]);
    assert_no_marks(&db).await;
}

#[tokio::test]
async fn a_source_that_is_inserted_again_brings_its_values() {
    let db = database().await;
    two_parts(&db).await;
    assert!(Part::delete_by_id(&db, &1).await.unwrap());
    assert_eq!(names(&db, 10).await, ["bolt", "nut", "bolt"]);
    Part::insert(&db, &part(1, "again")).await.unwrap();
    assert_eq!(names(&db, 10).await, ["again", "nut", "again"]);
    Part::delete_by_id(&db, &1).await.unwrap();
    Part::update_by_id(1).set(Part::F.name, "upserted").set(Part::F.qty, 0).upsert().execute(&db).await.unwrap();
    assert_eq!(names(&db, 10).await, ["upserted", "nut", "upserted"]);
    Part::delete_by_id(&db, &1).await.unwrap();
    Part::bulk().insert(&part(1, "in bulk")).insert(&part(3, "new")).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(names(&db, 10).await, ["in bulk", "nut", "in bulk"]);
    assert_no_marks(&db).await;
}

#[tokio::test]
async fn writes_of_a_holder_fill_its_copies() {
    let db = database().await;
    two_parts(&db).await;
    Product::update_by_id(11).push(Product::F.parts, refers(1)).execute(&db).await.unwrap();
    assert_eq!(names(&db, 11).await, ["nut", "bolt"]);
    Product::update_by_id(11).set(Product::F.parts, vec![refers(1)]).execute(&db).await.unwrap();
    assert_eq!(names(&db, 11).await, ["bolt"]);
    Product::update_by_id(11)
        .each(Product::F.parts, |part| part.id.eq(Ref::new(1)), |change, part| change.set(part.id, Ref::new(2)))
        .execute(&db)
        .await
        .unwrap();
    assert_eq!(names(&db, 11).await, ["nut"]);
    assert_no_marks(&db).await;
}

pub(super) async fn two_hosts(db: &Database) {
    let host = |id, ipaddr: &str| Host { id, name: format!("host {id}"), ipaddr: ipaddr.to_owned() };
    Host::insert_many(db, &[host(1, "127.0.0.1"), host(2, "127.0.0.2")]).await.unwrap();
}

pub(super) fn message(id: i64, host: i64) -> LogMsg {
    let time = DateTime::from_millis(id);
    LogMsg { id, host: Ref::new(host), ipaddr: "?".to_owned(), time, message: "up".to_owned() }
}

#[tokio::test]
async fn a_reference_takes_its_copies_along() {
    let db = database().await;
    two_hosts(&db).await;
    let host = Ref::<Host>::new(1);
    let inserted =
        LogMsg::insert_with(&db, &host, |host| LogMsg { ipaddr: host.ipaddr.clone(), ..message(1, host.id) });
    assert_eq!(inserted.await.unwrap().ipaddr, "127.0.0.1");
    LogMsg::insert_many(&db, &[message(2, 1), message(3, 2)]).await.unwrap();
    let ipaddr = async |id: i64| LogMsg::get_by_id(&db, &id).await.unwrap().ipaddr;

    let moved = LogMsg::update_by_id(1)
        .set(LogMsg::F.host, Ref::new(2))
        .set(LogMsg::F.message, "moved")
        .execute(&db)
        .await
        .unwrap();
    assert_eq!((moved.matched, ipaddr(1).await), (1, "127.0.0.2".to_owned()));
    Host::update_by_id(2).set(Host::F.ipaddr, "127.0.0.3").execute(&db).await.unwrap();
    assert_eq!((ipaddr(1).await, ipaddr(2).await), ("127.0.0.3".to_owned(), "127.0.0.1".to_owned()));

    let all = LogMsg::update_many(Filter::all()).set(LogMsg::F.host, Ref::new(1)).execute(&db).await.unwrap();
    assert_eq!((all.matched, ipaddr(3).await), (3, "127.0.0.1".to_owned()));
    LogMsg::replace(&db, &LogMsg { message: "replaced".to_owned(), ..message(3, 2) }).await.unwrap();
    assert_eq!(ipaddr(3).await, "127.0.0.3");
    let mut saved = LogMsg { message: "saved".to_owned(), ..message(3, 2) };
    LogMsg::save(&db, &mut saved).await.unwrap();
    assert_eq!(saved.ipaddr, "127.0.0.3");

    let by_filter = LogMsg::update_one(LogMsg::F.host.eq(Ref::new(1)).and(LogMsg::F.id.eq(9)));
    let by_filter = by_filter.set(LogMsg::F.message, "x").set(LogMsg::F.time, DateTime::now()).upsert();
    assert_eq!(by_filter.execute(&db).await.unwrap().upserted_id, Some(9));
    assert_eq!(ipaddr(9).await, "127.0.0.1");
    let error = LogMsg::update_by_id(1).set(LogMsg::F.host, Ref::new(7)).execute(&db).await.unwrap_err();
    assert!(matches!(error, Error::DanglingReference { .. }), "{error}");
    let bulk = LogMsg::bulk().insert(&message(4, 1)).update(LogMsg::update_by_id(1).set(LogMsg::F.host, Ref::new(2)));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!((ipaddr(4).await, ipaddr(1).await), ("127.0.0.1".to_owned(), "127.0.0.3".to_owned()));
    assert_no_marks(&db).await;
}

#[tokio::test]
async fn recover_carries_what_was_left_behind() {
    let db = database().await;
    let schema = schema![Product, Part, Host, LogMsg];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    two_parts(&db).await;
    assert_no_marks(&db).await;
    Part::update_by_id(1).set(Part::F.name, "later").defer_copies().execute(&db).await.unwrap();
    assert_eq!(names(&db, 10).await, ["bolt", "nut", "bolt"]);
    let recovered = schema.recover(&db, &Throttle::new()).await.unwrap();
    let [entry] = recovered.entries() else { panic!("{recovered:?}") };
    assert_eq!((entry.kind, entry.found), (MaintenanceKind::PendingSource, 1));
    assert_eq!(names(&db, 10).await, ["later", "nut", "later"]);
    assert_no_marks(&db).await;
    assert_eq!(schema.recover(&db, &Throttle::new()).await.unwrap().entries(), []);
}

/// A package is a source, a holder in an array and a holder beside a reference: an unchanged part of the value stays
/// unchanged.
#[tokio::test]
async fn a_replace_propagates_what_it_changes_and_no_more() {
    let (db, log) = schema_tests::database_with_log().await;
    let schema = schema![Package];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let package = |id: i64, needs: &[i64]| Package {
        id,
        name: format!("package {id}"),
        summary: String::new(),
        base: Some(Ref::new(1)),
        base_name: None,
        needs: needs.iter().map(|id| Need { id: Ref::new(*id), name: String::new(), least: 1 }).collect(),
    };
    let packages = [package(1, &[2]), package(2, &[1, 2]), package(3, &[1]), package(4, &[1, 3])];
    Package::insert_many(&db, &packages).await.unwrap();
    let names = |log: &schema_tests::CommandLog| {
        let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
        log.clear();
        names.join(" ")
    };
    let mut first = Package::get_by_id(&db, &1).await.unwrap();
    log.clear();
    first.summary = "of all".to_owned();
    Package::save(&db, &mut first).await.unwrap();
    assert_eq!(names(&log), "find findAndModify", "nothing that is copied, and no reference");
    // The copies in the value are old: the value does not own the copies.
    first.needs[0].name = "whatever".to_owned();
    first.summary = "again".to_owned();
    Package::save(&db, &mut first).await.unwrap();
    assert_eq!(names(&log), "find findAndModify");
    assert_eq!(first.needs[0].name, "package 2");
    first.needs[0].least = 2;
    Package::save(&db, &mut first).await.unwrap();
    let sent = names(&log);
    assert!(
        sent.starts_with("find find findAndModify find") && !sent.contains("Transaction"),
        "references alone: {sent}"
    );
    first.name = "renamed".to_owned();
    Package::save(&db, &mut first).await.unwrap();
    assert_eq!(
        names(&log),
        "find findAndModify update update commitTransaction update update update",
        "the name alone"
    );
    for id in [2, 3, 4] {
        assert_eq!(Package::get_by_id(&db, &id).await.unwrap().needs[0].name, "renamed", "{id}");
    }
    // A reference to a deleted document may be repeated in an unchanged array.
    Package::delete_by_id(&db, &3).await.unwrap();
    let mut fourth = Package::get_by_id(&db, &4).await.unwrap();
    fourth.summary = "still".to_owned();
    Package::save(&db, &mut fourth).await.unwrap();
    assert_eq!(fourth.needs[1].name, "package 3");
    // Another client has changed the compared array.
    let (db, of) = (&db, doc! { "_id": 2_i64 });
    db.collection::<Document>("packages").update_one(of, doc! { "$set": { "needs.0.least": 9 } }).await.unwrap();
    let mut second = Package { summary: "mine".to_owned(), ..package(2, &[1, 2]) };
    Package::save(db, &mut second).await.unwrap();
    assert_eq!((second.needs[0].least, &*second.needs[0].name), (1, "renamed"));
    schema.recover(db, &Throttle::new()).await.unwrap();
    let report = schema.verify(db).await.unwrap();
    assert!(super::repair::stale(&report).is_empty(), "{report}");
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Need {
    id: Ref<Package>,
    #[denormalize(from = id.name)]
    name: String,
    least: i32,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "packages")]
struct Package {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Package::needs, fan_out = 100)]
    #[copied_to(Package::base_name, fan_out = 100)]
    name: String,
    summary: String,
    base: Option<Ref<Package>>,
    #[denormalize(from = base.name)]
    base_name: Option<String>,
    #[relation(one_to_many, child_refs, by = id, max = 50)]
    needs: Vec<Need>,
}

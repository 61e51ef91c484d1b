//! `#[unversioned]`: an update of unversioned fields alone makes no new version, and a replacement by a whole value
//! leaves the unversioned fields unchanged.

mod at_once;
mod derived;

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{Error, prelude::*};
use schema_tests::{database, database_with_log};

use crate::relations::insert_raw;

/// A model whose replacement is a document.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "items")]
#[serde(rename_all = "camelCase")]
struct Item {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 40)]
    title: String,
    #[unversioned]
    in_stock: i64,
    #[unversioned]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lowest: Option<i64>,
    #[unversioned]
    #[bound(max_items = 5, max_len = 20)]
    tags: Vec<String>,
    #[unversioned]
    #[history(keep = 3, order = asc(at))]
    prices: Vec<Price>,
    #[version]
    version: i64,
    #[serde(skip)]
    open: bool,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Price {
    at: i64,
    cents: i64,
}

/// A model whose replacement keeps the time of the insert.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "timed")]
struct Timed {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    #[unversioned]
    stock: i32,
    #[version]
    #[serde(default)]
    version: i32,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
}

const THEN: DateTime = DateTime::from_millis(0);

fn item(id: i64) -> Item {
    let (title, tags, prices) = ("$inStock".to_owned(), vec!["new".to_owned()], Vec::new());
    Item { id, title, in_stock: 10, lowest: Some(3), tags, prices, version: 0, open: true }
}

fn timed(id: i64) -> Timed {
    Timed { id, title: "chair".to_owned(), stock: 10, version: 0, created: THEN, updated: THEN }
}

async fn raw(db: &Database, collection: &str) -> Document {
    db.collection::<Document>(collection).find_one(doc! {}).await.unwrap().unwrap()
}

async fn version(db: &Database) -> i64 {
    raw(db, "items").await.get_i64("version").unwrap()
}

async fn begin() -> Database {
    let db = database().await;
    schema![Item, Timed].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Item::insert(&db, &item(1)).await.unwrap();
    Timed::insert(&db, &timed(1)).await.unwrap();
    db
}

#[tokio::test]
async fn an_update_of_them_alone_makes_no_version() {
    let db = begin().await;
    let at = || Item::update_by_id(1);
    let all = || Filter::all();
    at().inc(Item::F.in_stock, -1).execute(&db).await.unwrap();
    at().set(Item::F.lowest, None).execute(&db).await.unwrap();
    at().min(Item::F.lowest, Some(2)).inc(Item::F.in_stock, -1).execute(&db).await.unwrap();
    // The update changes nothing.
    at().min(Item::F.lowest, None).execute(&db).await.unwrap();
    at().push(Item::F.tags, "old").execute(&db).await.unwrap();
    let older = at().each(Item::F.tags, |tag| tag.eq("old"), |changes, tag| changes.set(tag, "older"));
    older.execute(&db).await.unwrap();
    at().record(Item::F.prices, &Price { at: 1, cents: 100 }).execute(&db).await.unwrap();
    at().raw(doc! { "$inc": { "inStock": -1 } }).execute(&db).await.unwrap();
    Item::update_one(all()).inc(Item::F.in_stock, -1).execute(&db).await.unwrap();
    Item::update_many(all()).inc(Item::F.in_stock, -1).execute(&db).await.unwrap();
    let found = Item::find_one_and_update(all()).inc(Item::F.in_stock, -1).fetch_after(&db).await.unwrap().unwrap();
    assert_eq!((found.in_stock, found.version), (4, 0));
    let bulk =
        Item::bulk().update(at().inc(Item::F.in_stock, -1)).update(Item::update_many(all()).pull(Item::F.tags, "new"));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    let expected = doc! {
        "_id": 1_i64, "title": "$inStock", "inStock": 3_i64, "lowest": 2_i64, "tags": ["older"],
        "prices": [{ "at": 1_i64, "cents": 100_i64 }], "version": 0_i64,
    };
    let mut stored = raw(&db, "items").await;
    let sorted: Document = expected.keys().map(|name| (name.clone(), stored.remove(name).unwrap())).collect();
    assert_eq!((sorted, stored), (expected, doc! {}));

    let mut versions = 0;
    for update in [
        at().set(Item::F.title, "chair"),
        at().set(Item::F.title, "desk").inc(Item::F.in_stock, 1),
        at().raw(doc! { "$set": { "title": "bed" }, "$inc": { "inStock": 1 } }),
        at().inc(Item::F.in_stock, 1).raw(doc! { "$set": { "another": 1 } }),
        at().raw(doc! { "$rename": { "another": "other" } }),
    ] {
        update.execute(&db).await.unwrap();
        versions += 1;
        assert_eq!(version(&db).await, versions);
    }
}

#[tokio::test]
async fn the_time_of_an_update_moves_all_the_same() {
    let db = begin().await;
    let before = raw(&db, "timed").await;
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    Timed::update_by_id(1).inc(Timed::F.stock, -1).execute(&db).await.unwrap();
    let after = raw(&db, "timed").await;
    assert_eq!((after.get_i32("stock").unwrap(), after.get_i32("version").unwrap()), (9, 0));
    assert_eq!(after.get("created"), before.get("created"));
    assert!(after.get_datetime("updated").unwrap() > before.get_datetime("updated").unwrap());
}

#[tokio::test]
async fn a_save_keeps_what_others_have_stored() {
    let db = begin().await;
    let (mut item, mut timed) = (Item::get_by_id(&db, 1).await.unwrap(), Timed::get_by_id(&db, 1).await.unwrap());
    item.open = true;
    // The sale, and the update of another program.
    Item::update_by_id(1)
        .inc(Item::F.in_stock, -4)
        .set(Item::F.lowest, None)
        .push(Item::F.tags, "sold")
        .execute(&db)
        .await
        .unwrap();
    Timed::update_by_id(1).inc(Timed::F.stock, -4).execute(&db).await.unwrap();
    (item.title, timed.title) = ("chair".to_owned(), "desk".to_owned());
    // The unversioned fields of the value are not stored; after the save, the value has the stored fields.
    (item.in_stock, timed.stock, item.prices) = (1_000, 1_000, vec![Price { at: 1, cents: 1 }]);
    Item::save(&db, &mut item).await.unwrap();
    Timed::save(&db, &mut timed).await.unwrap();
    let tags = vec!["new".to_owned(), "sold".to_owned()];
    assert_eq!(item, Item { title: "chair".to_owned(), in_stock: 6, lowest: None, tags, version: 1, ..self::item(1) });
    assert_eq!(item, Item { open: true, ..Item::get_by_id(&db, 1).await.unwrap() });
    assert_eq!((timed.title.as_str(), timed.stock, timed.version), ("desk", 6, 1));
    assert_eq!(timed, Timed::get_by_id(&db, 1).await.unwrap());
    assert!(timed.created > THEN && timed.updated >= timed.created);
    assert_eq!(raw(&db, "items").await.get("lowest"), None);

    // An immediate second save succeeds: the value equals the stored document.
    Item::save(&db, &mut item).await.unwrap();
    Item::update_by_id(1).set(Item::F.title, "bed").execute(&db).await.unwrap();
    let conflict = Item::save(&db, &mut item).await;
    assert!(matches!(conflict, Err(Error::VersionConflict { expected: 2, found: Some(3), .. })), "{conflict:?}");
    let gone = Item::save(&db, &mut Item { version: 1, ..self::item(2) }).await;
    assert!(matches!(gone, Err(Error::NotFound { .. })), "{gone:?}");
}

#[tokio::test]
async fn every_way_to_put_a_value() {
    let db = begin().await;
    let (mut item, timed) = (Item::get_by_id(&db, 1).await.unwrap(), Timed::get_by_id(&db, 1).await.unwrap());
    Item::update_by_id(1).inc(Item::F.in_stock, -1).execute(&db).await.unwrap();
    Timed::update_by_id(1).inc(Timed::F.stock, -1).execute(&db).await.unwrap();
    Item::replace(&db, &item).await.unwrap();
    item.version = 1;
    assert!(!Item::upsert(&db, &item).await.unwrap());
    item.version = 2;
    Item::upsert_many(&db, [&item]).await.unwrap();
    item.version = 3;
    Item::bulk().replace(&item).execute(&db).await.unwrap().complete().unwrap();
    Timed::replace(&db, &timed).await.unwrap();
    let timed = Timed { version: 1, ..timed };
    Timed::bulk().replace(&timed).execute(&db).await.unwrap().complete().unwrap();
    let stored = raw(&db, "items").await;
    assert_eq!((stored.get_i64("inStock").unwrap(), stored.get_i64("version").unwrap()), (9, 4));
    let stored = raw(&db, "timed").await;
    assert_eq!((stored.get_i32("stock").unwrap(), stored.get_i32("version").unwrap()), (9, 2));
}

/// An insert stores the whole value.
#[tokio::test]
async fn an_upsert_that_inserts_sets_them() {
    let db = begin().await;
    assert!(Item::upsert(&db, &item(2)).await.unwrap());
    Item::upsert_many(&db, [item(3), item(4)]).await.unwrap();
    for id in 2..5 {
        assert_eq!(Item::get_by_id(&db, id).await.unwrap(), Item { open: false, ..item(id) });
    }
    // An upsert of changes: the version begins at 1 as for any upsert, and the next sale leaves the version unchanged.
    let sale = || {
        let sale = Timed::update_by_id(9).inc(Timed::F.stock, 3).set_on_insert(Timed::F.title, "stool").upsert();
        sale.execute(&db)
    };
    assert_eq!(sale().await.unwrap().upserted_id, Some(9));
    assert_eq!(sale().await.unwrap().matched, 1);
    let stored = Timed::get_by_id(&db, 9).await.unwrap();
    assert_eq!((stored.stock, stored.version, stored.title.as_str()), (6, 1, "stool"));
    let renamed = Timed::update_by_id(10).set(Timed::F.title, "x").inc(Timed::F.stock, 1).upsert();
    renamed.execute(&db).await.unwrap();
    assert_eq!(Timed::get_by_id(&db, 10).await.unwrap().version, 1);
}

/// The documents of another program: an absent field, a null, and a number of another type.
#[tokio::test]
async fn what_is_absent_stays_absent() {
    let db = database().await;
    let bare = |more: Document| {
        let mut document = doc! { "_id": 1_i64, "title": "a", "tags": [], "prices": [], "inStock": 5 };
        document.extend(more);
        document
    };
    for (lowest, version) in [(None, None), (Some(Bson::Null), Some(Bson::Int32(2))), (Some(Bson::Int32(7)), None)] {
        db.collection::<Document>("items").delete_many(doc! {}).await.unwrap();
        let mut document = bare(doc! { "version": version.unwrap_or(Bson::Int64(0)) });
        document.extend(lowest.clone().map(|lowest| ("lowest".to_owned(), lowest)));
        insert_raw::<Item>(&db, [document]).await;
        let mut item = Item::get_by_id(&db, 1).await.unwrap();
        (item.lowest, item.in_stock) = (Some(1), 0);
        Item::save(&db, &mut item).await.unwrap();
        let stored = raw(&db, "items").await;
        assert_eq!((stored.get("lowest"), stored.get("inStock")), (lowest.as_ref(), Some(&Bson::Int32(5))));
        assert_eq!((item.in_stock, item.lowest.is_some()), (5, lowest == Some(Bson::Int32(7))));
    }
}

#[tokio::test]
async fn one_command_each() {
    let (db, log) = database_with_log().await;
    Item::insert(&db, &item(1)).await.unwrap();
    log.clear();
    let mut value = item(1);
    Item::save(&db, &mut value).await.unwrap();
    Item::replace(&db, &value).await.unwrap();
    Item::update_by_id(1).inc(Item::F.in_stock, 1).execute(&db).await.unwrap();
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["findAndModify", "update", "update"]);
    let update = log.named("update")[1].get_array("updates").unwrap()[0].as_document().unwrap().get("u").cloned();
    assert_eq!(update, Some(doc! { "$inc": { "inStock": 1_i64 } }.into()));
}

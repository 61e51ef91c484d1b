//! Writes and reads of a model with a shard key: the key in a whole value, the refusals before any command is sent, and
//! a change of the key.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, ShardingError, assert_targeted, prelude::*, schema};
use schema_tests::database_with_log;

use super::plan::new_database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "stores")]
#[shard_key(hashed(id))]
struct Store {
    #[serde(rename = "_id")]
    id: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sales")]
#[shard_key(store, till.number)]
struct Sale {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    store: Ref<Store>,
    #[relation(one_to_many, parent_ref)]
    clerk: Ref<Store>,
    till: Till,
    total: i64,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Till {
    number: i64,
    #[bound(max_len = 20)]
    name: String,
}

/// A note with a version and times that the crate sets: a save is a `findAndModify`.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "notes")]
#[shard_key(author, id, distinct(author = 50_000))]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    author: i64,
    #[bound(max_len = 100)]
    text: String,
    #[version]
    version: i64,
    #[created_at]
    created: DateTime,
}

fn sale(id: i64) -> Sale {
    Sale { id, store: Ref::new(1), clerk: Ref::new(1), till: Till { number: 4, name: "north".to_owned() }, total: 10 }
}

fn note(id: i64) -> Note {
    let created = DateTime::from_millis(0);
    Note { id, author: 7, text: "new".to_owned(), version: 0, created }
}

fn missing(error: &Error) -> &[String] {
    match error {
        Error::Sharding(ShardingError::KeyMissing { fields, .. }) => fields,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_value_gives_its_key() {
    let (db, log) = database_with_log().await;
    Sale::insert(&db, &sale(1)).await.unwrap();
    log.clear();
    Sale::replace(&db, &Sale { total: 20, ..sale(1) }).await.unwrap();
    let of_one = doc! { "_id": 1_i64, "store": 1_i64, "till.number": 4_i64 };
    let filter = |(_, command): &(String, Document), list: &str| {
        command.get_array(list).unwrap()[0].as_document().unwrap().get_document("q").unwrap().clone()
    };
    assert_eq!(filter(&log.commands()[0], "updates"), of_one);
    log.clear();
    Sale::bulk().replace(&sale(1)).delete(&sale(1)).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(filter(&log.commands()[0], "updates"), of_one);
    assert_eq!(filter(&log.commands()[1], "deletes"), of_one);
    log.clear();
    Sale::upsert(&db, &sale(2)).await.unwrap();
    assert!(Sale::delete(&db, &sale(2)).await.unwrap());
    assert_eq!(
        filter(log.commands().last().unwrap(), "deletes"),
        doc! { "_id": 2_i64, "store": 1_i64, "till.number": 4_i64 }
    );

    let mut note = note(1);
    Note::create(&db, &mut note).await.unwrap();
    log.clear();
    note.text = "newer".to_owned();
    Note::save(&db, &mut note).await.unwrap();
    let query = log.commands()[0].1.get_document("query").unwrap().clone();
    assert_eq!(query, doc! { "_id": 1_i64, "author": 7_i64, "version": 0_i64 });
}

#[tokio::test]
async fn what_no_router_could_send_is_refused() {
    let (db, log) = database_with_log().await;
    Sale::insert(&db, &sale(1)).await.unwrap();
    log.clear();
    let by_total = || Sale::F.total.gt(1);
    let error = Sale::find_one_and_update(by_total()).inc(Sale::F.total, 1).fetch_after(&db).await.unwrap_err();
    assert_eq!(missing(&error), ["store", "till.number"]);
    assert_eq!(
        error.to_string(),
        "a write of a single document of `sales` gives no value of `store`, `till.number`: give the whole shard key of \
         `Sale` by `eq`, beside the remaining conditions"
    );
    let error = Sale::update_one(Sale::F.store.eq(Ref::new(1))).inc(Sale::F.total, 1).execute(&db).await.unwrap_err();
    assert_eq!(missing(&error), ["till.number"]);
    let error = Sale::delete_one(&db, by_total()).await.unwrap_err();
    assert_eq!(missing(&error), ["store", "till.number"]);
    let upsert = Sale::update_by_id(5).inc(Sale::F.total, 1).upsert();
    assert_eq!(missing(&upsert.execute(&db).await.unwrap_err()), ["store", "till.number"]);
    let bulk = Sale::bulk().update(Sale::update_one(by_total()).inc(Sale::F.total, 1)).execute(&db).await;
    assert!(matches!(bulk, Err(Error::Bulk { source, .. }) if missing(&source).len() == 2));
    let bulk = Sale::bulk().delete_one(by_total()).execute(&db).await;
    assert!(matches!(bulk, Err(Error::Bulk { source, .. }) if missing(&source).len() == 2));
    // Writes past the typed fields.
    let moved =
        Sale::update_by_id(1).raw(doc! { "$set": { "till": { "number": 5_i64, "name": "" } } }).execute(&db).await;
    let moved = moved.unwrap_err().to_string();
    assert!(moved.contains("`till` of `Sale` is part of the shard key"), "{moved}");
    let moved = Sale::STORE.reassign(&db, &1, &2).await.unwrap_err().to_string();
    assert!(moved.contains("`store` of `Sale` is part of the shard key"), "{moved}");
    assert_eq!(log.commands().len(), 0, "{:?}", log.commands());

    // A reference beside the key is reassigned, and another field of the struct of the key is set.
    assert!(Sale::CLERK.reassign(&db, &1, &3).await.unwrap());
    assert_eq!(Sale::update_by_id(1).set(Sale::F.till.name, "gate").execute(&db).await.unwrap().matched, 1);
    let moved = Sale::update_by_id(1).set(Sale::F.till.number, 9).execute(&db).await.unwrap_err().to_string();
    assert!(moved.contains("`till.number` of `Sale` is part of the shard key"), "{moved}");
    let bulk = Sale::bulk().upsert(&sale(1)).execute(&db).await.unwrap_err().to_string();
    assert!(bulk.contains("the `_id` is unique on each shard only"), "{bulk}");

    // Each of the next writes can be sent.
    let whole = || Sale::F.store.eq(Ref::new(1)).and(Sale::F.till.number.eq(4));
    assert!(Sale::find_one_and_update(whole()).inc(Sale::F.total, 1).fetch_after(&db).await.unwrap().is_some());
    assert_eq!(Sale::update_one(whole()).inc(Sale::F.total, 1).execute(&db).await.unwrap().matched, 1);
    assert_eq!(Sale::update_by_id(1).inc(Sale::F.total, 1).execute(&db).await.unwrap().matched, 1);
    assert_eq!(Sale::update_many(by_total()).inc(Sale::F.total, 1).execute(&db).await.unwrap().matched, 1);
    assert!(Sale::delete_by_id(&db, 1).await.unwrap());
    let error =
        Store::find_one_and_update(Filter::all()).raw(doc! { "$set": { "x": 1 } }).fetch_after(&db).await.unwrap_err();
    assert_eq!(missing(&error), ["_id"]);
    // With a hashed `_id`, a write of a single document with the `_id` in its filter is targeted.
    Store::insert(&db, &Store { id: 1 }).await.unwrap();
    assert!(Store::delete_one(&db, Store::F.id.eq(1)).await.unwrap());
}

#[tokio::test]
async fn a_key_changes_by_itself_alone() {
    let db = new_database().await;
    schema![Sale, Store].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Sale::insert(&db, &sale(1)).await.unwrap();
    let moved = Sale { store: Ref::new(2), till: Till { number: 9, name: "not this".to_owned() }, ..sale(1) };
    // A value with another key finds no document, and does not insert a second document.
    assert!(matches!(Sale::replace(&db, &moved).await, Err(Error::NotFound { .. })));
    assert!(matches!(
        Sale::upsert(&db, &moved).await,
        Err(Error::Sharding(ShardingError::KeyDiffers { model: "Sale", .. }))
    ));
    Sale::change_shard_key(&db, &sale(1), &moved).await.unwrap();
    let stored = Sale::get_by_id(&db, 1).await.unwrap();
    assert_eq!(
        (stored.store, stored.till.number, stored.till.name.as_str(), stored.total),
        (Ref::new(2), 9, "north", 10)
    );
    // A second change: no document has the old key.
    assert!(matches!(Sale::change_shard_key(&db, &sale(1), &moved).await, Err(Error::NotFound { .. })));
    // A change to the same key does nothing, and a change to another document is refused.
    Sale::change_shard_key(&db, &stored, &stored).await.unwrap();
    assert!(matches!(Sale::change_shard_key(&db, &stored, &sale(2)).await, Err(Error::Update { .. })));
}

/// A single call gives the whole key. The key changes only for a client with the newest version of the document.
#[tokio::test]
async fn by_the_whole_key() {
    let (db, log) = database_with_log().await;
    let mut note = note(1);
    Note::create(&db, &mut note).await.unwrap();
    log.clear();
    let found = Note::find_one_and_update(Note::by_shard_key(7, 1)).set(Note::F.text, "found");
    let found = found.fetch_after(&db).await.unwrap().unwrap();
    let query = log.commands()[0].1.get_document("query").unwrap().clone();
    assert_eq!((found.version, query), (note.version + 1, doc! { "author": 7_i64, "_id": 1_i64 }));
    assert_targeted(&Note::find(Note::by_shard_key(7, 1)));
    let moved = Note { author: 8, ..found.clone() };
    assert!(matches!(Note::change_shard_key(&db, &note, &moved).await, Err(Error::NotFound { .. })), "an old version");
    Note::change_shard_key(&db, &found, &moved).await.unwrap();
    assert_eq!(Note::get(&db, Note::by_shard_key(8, 1)).await.unwrap().version, found.version + 1);
}

#[test]
fn a_targeted_read() {
    assert_targeted(&Sale::find(Sale::F.store.eq(Ref::new(1)).and(Sale::F.total.gt(5))));
    assert_targeted(&Sale::find(Sale::F.store.is_in([Ref::new(1), Ref::new(2)])));
    let scattered = std::panic::catch_unwind(|| assert_targeted(&Sale::find(Sale::F.till.number.eq(4))));
    let said = scattered.unwrap_err();
    assert_eq!(
        said.downcast_ref::<String>().map(String::as_str),
        Some("a read of `Sale` gives no value of `store`, the first field of the shard key: all shards are asked")
    );
}

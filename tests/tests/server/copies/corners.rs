//! Corners of the writes of copies: empty values, missing sources, stopped writes, and raw updates of MongoDB.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, Throttle, prelude::*};
use schema_tests::{Fault, Proxy, database};

use super::{
    models::{Host, LogMsg, Part, PartRef, Product},
    writes::{assert_no_marks, part, product, raw, refers},
};

async fn two_parts(db: &Database) {
    Part::insert_many(db, &[part(1, "bolt"), part(2, "nut")]).await.unwrap();
    Product::insert(db, &product(10, &[1, 2])).await.unwrap();
}

async fn names(db: &Database, id: i64) -> Vec<String> {
    Product::get_by_id(db, &id).await.unwrap().parts.into_iter().map(|part| part.name).collect()
}

#[tokio::test]
async fn a_replace_may_refer_to_nothing_and_repeat_what_is_gone() {
    let db = database().await;
    two_parts(&db).await;
    Part::delete_by_id(&db, &2).await.unwrap();
    let mut read = Product::get_by_id(&db, &10).await.unwrap();
    // The unchanged array: the copy of the missing source stays.
    read.title = "again".to_owned();
    Product::replace(&db, &read).await.unwrap();
    assert_eq!(names(&db, 10).await, ["bolt", "nut"]);
    // A changed array: a reference to a missing source may be repeated with the stored copy, whatever copy the caller
    // gives.
    let mut other = read.clone();
    other.parts.insert(0, refers(2));
    other.parts.push(refers(1));
    Product::replace(&db, &other).await.unwrap();
    assert_eq!(names(&db, 10).await, ["nut", "bolt", "nut", "bolt"]);
    Product::save(&db, &mut other).await.unwrap();
    assert_no_marks(&db).await;
    // A new reference to a missing source is refused.
    other.parts.push(refers(3));
    let error = Product::replace(&db, &other).await.unwrap_err();
    assert!(matches!(&error, Error::DanglingReference { id, .. } if **id == 3_i64.into()), "{error}");
    // A source that is inserted again is propagated to all holders.
    Part::insert(&db, &part(2, "new nut")).await.unwrap();
    assert_eq!(names(&db, 10).await, ["new nut", "bolt", "new nut", "bolt"]);
    Part::delete_by_id(&db, &2).await.unwrap();
    Product::replace(&db, &read).await.unwrap();
    let nut = Product::get_by_id(&db, &10).await.unwrap();
    assert_eq!(nut.parts.iter().map(|part| &*part.name).collect::<Vec<_>>(), ["bolt", "new nut"]);
    Part::insert(&db, &part(2, "nut")).await.unwrap();
    Part::delete_by_id(&db, &2).await.unwrap();
    Product::update_by_id(10).set(Product::F.title, "another").execute(&db).await.unwrap();
    assert_eq!(names(&db, 10).await, ["bolt", "nut"]);
    read.parts.pop();
    Product::save(&db, &mut read).await.unwrap();
    assert_eq!(names(&db, 10).await, ["bolt"]);

    Product::replace(&db, &product(10, &[])).await.unwrap();
    assert_eq!(names(&db, 10).await, [""; 0]);
    let error = Product::replace(&db, &product(11, &[])).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { model: "Product", .. }), "{error}");
    let error = Product::update_by_id(10).push(Product::F.parts, refers(2)).execute(&db).await.unwrap_err();
    assert!(matches!(&error, Error::DanglingReference { holder, .. } if **holder == 10_i64.into()), "{error}");
    assert_no_marks(&db).await;
}

/// The source is inserted again, while a replacement with a repeated reference to the source is held at each of its
/// commands.
#[tokio::test]
async fn a_source_that_comes_again_beside_a_replace() {
    for at in 0.. {
        let db = database().await;
        two_parts(&db).await;
        Part::delete_by_id(&db, &2).await.unwrap();
        let mut read = Product::get_by_id(&db, &10).await.unwrap();
        read.parts.push(refers(1));
        let proxy = Proxy::start([(at, Fault::Hold)]).await;
        let writer = proxy.database(db.name()).await;
        let replaced = tokio::spawn(async move { Product::replace(&writer, &read).await });
        let is_held = proxy.reached_within(&replaced).await;
        Part::insert(&db, &part(2, "new nut")).await.unwrap();
        proxy.release();
        replaced.await.unwrap().unwrap();
        assert_eq!(names(&db, 10).await, ["bolt", "new nut", "bolt"], "at {at} of {:?}", proxy.names());
        if !is_held {
            assert!(at >= 3, "{at} commands");
            break;
        }
    }
}

#[tokio::test]
async fn an_element_is_pulled_by_its_own_fields() {
    let db = database().await;
    two_parts(&db).await;
    let old = Product::get_by_id(&db, &10).await.unwrap().parts[0].clone();
    Product::update_by_id(10).push(Product::F.parts, PartRef { amount: 2, ..refers(1) }).execute(&db).await.unwrap();
    Part::update_by_id(1).set(Part::F.name, "renamed").execute(&db).await.unwrap();
    Product::update_by_id(10).pull(Product::F.parts, old).execute(&db).await.unwrap();
    let left = Product::get_by_id(&db, &10).await.unwrap().parts;
    assert_eq!(left.iter().map(|part| (&*part.name, part.amount)).collect::<Vec<_>>(), [("nut", 1), ("renamed", 2)]);
    let both = Product::update_by_id(10).pull(Product::F.parts, left[0].clone());
    let both = both.pull_if(Product::F.parts, |part| part.amount.gt(1)).execute(&db).await.unwrap_err();
    assert!(matches!(both, Error::Update { .. }), "{both}");
}

#[tokio::test]
async fn raw_updates_are_followed_or_refused() {
    let db = database().await;
    two_parts(&db).await;
    Part::update_by_id(1).raw(doc! { "$set": { "name": "raw" } }).execute(&db).await.unwrap();
    assert_eq!(names(&db, 10).await, ["raw", "nut"]);
    db.collection::<Document>("parts").update_one(doc! { "_id": 1 }, doc! { "$set": { "nick": "b" } }).await.unwrap();
    Part::update_by_id(1).raw(doc! { "$rename": { "nick": "name" } }).execute(&db).await.unwrap();
    assert_eq!(names(&db, 10).await, ["b", "nut"]);
    for strange in [doc! { "$rename": { "other": "host" } }, doc! { "$max": { "host": 7_i64 } }] {
        let error = LogMsg::update_by_id(1).raw(strange).execute(&db).await.unwrap_err();
        assert!(matches!(&error, Error::Update { message } if message.contains("`host` of `LogMsg`")), "{error}");
    }
    let twice = doc! { "$addToSet": { "parts": { "partId": 1_i64 } } };
    assert!(matches!(Product::update_by_id(10).raw(twice).execute(&db).await.unwrap_err(), Error::Update { .. }));
}

/// The copies follow the documents that the server wrote before the write stopped, and the error has the reason of the
/// stop.
#[tokio::test]
async fn writes_that_stop_on_their_way_are_followed() {
    let db = database().await;
    let schema = schema![Part, Product, Host, LogMsg];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    two_parts(&db).await;
    // `qty` is no number: the validator refuses every write of the document.
    let bad = doc! { "_id": 3_i64, "name": "bad", "qty": "many" };
    let parts = db.collection::<Document>("parts");
    parts.insert_one(bad).bypass_document_validation(true).await.unwrap();
    let error = Part::update_many(Filter::all()).set(Part::F.name, "same").execute(&db).await.unwrap_err();
    assert!(matches!(error, Error::DocumentInvalid { .. }), "{error}");
    assert_eq!(names(&db, 10).await, ["same", "same"]);

    let error = Product::insert_many(&db, &[product(11, &[1]), product(10, &[1])]).await.unwrap_err();
    assert!(matches!(error, Error::InsertMany { inserted: 1, index: Some(1), .. }), "{error}");
    assert_eq!(names(&db, 11).await, ["same"]);
    let stored = raw(&db, "products", 11).await;
    assert!(!stored.keys().any(|name| name.starts_with("_look")), "{stored}");
}

#[tokio::test]
async fn a_bulk_has_one_pace_for_all() {
    let db = database().await;
    two_parts(&db).await;
    for update in [Part::update_by_id(1).defer_copies(), Part::update_by_id(1).throttle(Throttle::new())] {
        let error = Part::bulk().update(update.set(Part::F.name, "x")).execute(&db).await.unwrap_err();
        assert!(matches!(error.cause(), Error::Update { .. }), "{error}");
    }
    assert_eq!(names(&db, 10).await, ["bolt", "nut"]);
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "bolts")]
struct Bolt {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Order::items, fan_out = 10)]
    #[copied_to(OrderItem::name, fan_out = 10)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "order")]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_few, embed, max = 20)]
    items: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    bolt: Ref<Bolt>,
    #[denormalize(from = bolt.name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "order_items")]
struct OrderItem {
    #[serde(rename = "_id")]
    id: i64,
    bolt: Ref<Bolt>,
    #[denormalize(from = bolt.name)]
    name: String,
}

/// Both places would mark a bolt in `_sync_order_items_bolt`.
#[tokio::test]
async fn two_places_of_one_name_are_refused_by_the_plan() {
    let error = schema![Bolt, Order, OrderItem].plan(&database().await).await.unwrap_err();
    assert!(
        matches!(&error, Error::DefinitionConflict { collection, message } if collection == "order_items" && message.contains("order_items_bolt")),
        "{error}"
    );
}

/// A source that was restored alone has an older version than its holders. The source gets a new version as soon as the
/// old version stops a write.
#[tokio::test]
async fn a_source_whose_version_went_back() {
    let db = database().await;
    two_parts(&db).await;
    let parts = db.collection::<Document>("parts");
    let old = parts.find_one(doc! { "_id": 1 }).await.unwrap().unwrap();
    for name in ["first", "second", "third"] {
        Part::update_by_id(1).set(Part::F.name, name).execute(&db).await.unwrap();
    }
    Product::insert(&db, &product(11, &[1])).await.unwrap();
    parts.replace_one(doc! { "_id": 1 }, old).await.unwrap();
    let one = Product::update_by_id(10).set(Product::F.parts, vec![refers(1)]).execute(&db).await.unwrap();
    assert_eq!(one.matched, 1);
    assert_eq!([names(&db, 10).await, names(&db, 11).await], [["bolt"], ["bolt"]]);
    // The crate does not wait for versions of the future: the write ends.
    let future = doc! { "$set": { "parts.$[]._v_partId": mongodb::bson::Timestamp { time: u32::MAX, increment: 1 } } };
    db.collection::<Document>("products").update_one(doc! { "_id": 10 }, future).await.unwrap();
    let ended = Product::update_by_id(10).set(Product::F.parts, vec![refers(1)]).execute(&db).await;
    assert!(ended.is_err(), "{ended:?}");
}

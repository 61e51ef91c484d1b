//! Clustered collections, images and compressions.

use mongodb::bson::doc;
use schema_runtime::{
    plan::{Change, Clash, Needs},
    prelude::*,
    transaction,
};
use schema_tests::database;

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sessions", clustered(ttl = "30d"))]
struct Session {
    #[serde(rename = "_id")]
    id: DateTime,
    #[index]
    user: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "orders", clustered, pre_and_post_images, compression = zstd)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[version]
    version: i64,
    total: i64,
}

#[tokio::test]
async fn a_clustered_collection_takes_each_operation() {
    let db = database().await;
    let schema = schema![Session, Order];
    let plan = planned(schema, &db).await;
    let text = plan.to_string();
    assert!(
        text.contains(
            "sessions (Session)\n  + collection {clusteredIndex: {key: {_id: 1}, unique: true}, \
             expireAfterSeconds: 2592000}, validator strict error\n  + index user_1 {user: 1}\n"
        ),
        "{text}"
    );
    plan.apply(&db).await.and_then(|report| report.complete()).expect("made");
    is_settled(schema, &db).await;
    assert_eq!(names(&db, "sessions").await, ["_id_", "user_1"]);

    let mut order = Order { id: 1, version: 0, total: 5 };
    Order::create(&db, &mut order).await.expect("inserted");
    order.total = 6;
    Order::save(&db, &mut order).await.expect("saved");
    transaction(&db, |tx| async move { Order::update_by_id(1).inc(Order::F.total, 1).execute(&tx).await.map(drop) })
        .await
        .expect("a transaction writes");
    assert_eq!(Order::get_by_id(&db, &1).await.expect("read").total, 7);
    let second = Order::insert(&db, &order).await.expect_err("the key exists");
    assert!(second.to_string().contains("_id"), "{second}");
    assert!(Order::delete_by_id(&db, &1).await.expect("deleted"));
}

#[tokio::test]
async fn the_expiry_of_a_clustered_collection_changes_in_place() {
    for made in [None, Some(60), Some(2_592_000)] {
        let db = database().await;
        let mut create = doc! { "create": "sessions", "clusteredIndex": { "key": { "_id": 1 }, "unique": true } };
        create.extend(made.map(|seconds: i32| ("expireAfterSeconds".to_owned(), seconds.into())));
        db.run_command(create).await.expect("made");
        let plan = planned(schema![Session], &db).await;
        let changed = plan.steps().iter().filter(|step| matches!(step.change, Change::SetOption { .. }));
        assert_eq!(changed.count(), usize::from(made != Some(2_592_000)), "{plan}");
        applied(schema![Session], &db).await;
        is_settled(schema![Session], &db).await;
        assert_eq!(options(&db, "sessions").await.get("expireAfterSeconds").expect("a TTL").to_string(), "2592000");
    }
}

mod plain {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "orders", clustered)]
    pub(super) struct Order {
        #[serde(rename = "_id")]
        id: i64,
        version: i64,
        total: i64,
    }
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "orders", pre_and_post_images)]
    pub(super) struct Imaged {
        #[serde(rename = "_id")]
        id: i64,
    }
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "orders")]
    pub(super) struct Unimaged {
        #[serde(rename = "_id")]
        id: i64,
    }
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "orders", compression = snappy)]
    pub(super) struct Snappy {
        #[serde(rename = "_id")]
        id: i64,
    }
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "orders", compression = none)]
    pub(super) struct Uncompressed {
        #[serde(rename = "_id")]
        id: i64,
    }
}

#[tokio::test]
async fn images_are_switched_on_in_place_and_off_only_on_request() {
    let db = database().await;
    applied(schema![plain::Unimaged], &db).await;
    let on = planned(schema![plain::Imaged], &db).await;
    assert!(matches!(steps(&on)[..], [Change::SetOption { shrinks: false, .. }]), "{on}");
    applied(schema![plain::Imaged], &db).await;
    is_settled(schema![plain::Imaged], &db).await;
    assert!(options(&db, "orders").await.contains_key("changeStreamPreAndPostImages"));

    let off = planned(schema![plain::Unimaged], &db).await;
    assert_eq!(off.steps().iter().map(|step| step.needs()).collect::<Vec<_>>(), [Needs::Shrink]);
    assert!(off.to_string().contains("the stored images are deleted"), "{off}");
    off.apply(&db).await.and_then(|report| report.complete()).expect("nothing requested");
    assert!(options(&db, "orders").await.contains_key("changeStreamPreAndPostImages"));
    forced(schema![plain::Unimaged], &db).await;
    is_settled(schema![plain::Unimaged], &db).await;
}

#[tokio::test]
async fn a_compression_is_set_when_the_collection_is_made() {
    let db = database().await;
    applied(schema![Order], &db).await;
    let made = options(&db, "orders").await;
    let engine = made.get_document("storageEngine").and_then(|engine| engine.get_document("wiredTiger"));
    assert_eq!(engine.expect("settings").get_str("configString").ok(), Some("block_compressor=zstd"));

    for (schema, is_other) in [(schema![plain::Snappy], false), (schema![plain::Uncompressed], true)] {
        let db = database().await;
        db.run_command(doc! { "create": "orders" }).await.expect("made");
        let plan = planned(schema, &db).await;
        let clash = Change::CollectionClash { clash: Clash::Compression };
        assert_eq!(steps(&plan).contains(&&clash), is_other, "the default is snappy: {plan}");
        db.collection::<Document>("orders").drop().await.expect("dropped");
        applied(schema, &db).await;
        is_settled(schema, &db).await;
    }
}

/// A model without a compression takes a collection with any compression.
#[tokio::test]
async fn an_undeclared_compression_is_no_difference() {
    let db = database().await;
    applied(schema![Order], &db).await;
    db.run_command(doc! { "collMod": "orders", "changeStreamPreAndPostImages": { "enabled": false } })
        .await
        .expect("off");
    applied(schema![plain::Order], &db).await;
    is_settled(schema![plain::Order], &db).await;
}

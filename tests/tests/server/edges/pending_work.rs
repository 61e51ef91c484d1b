//! The report of `verify` lists the leftovers of stopped clients: copies, rollups, deletes and moves.

use mongodb::bson::{Document, doc};
use schema_runtime::{MaintenanceKind, Throttle, prelude::*};
use schema_tests::{database, rollups::leave_differences};

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "hosts")]
#[inverse(messages = Message::host, on_delete = restrict)]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Message::host_name)]
    #[changes(seldom)]
    name: String,
    #[computed(sum(Message::host, bytes))]
    bytes: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "messages")]
struct Message {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    #[denormalize(from = host.name)]
    host_name: String,
    bytes: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: i64,
    #[tree(parent, max_depth = 8)]
    parent: Option<Ref<Category>>,
    #[tree(path)]
    path: TreePath<Category>,
}

const SCHEMA: schema_runtime::Schema = schema![Host, Message, Category];

async fn prepared() -> Database {
    let db = database().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Host::insert(&db, &Host { id: 1, name: "a".into(), bytes: 0 }).await.unwrap();
    let message = |id| Message { id, host: Ref::new(1), host_name: String::new(), bytes: 5 };
    Message::insert_many(&db, (0..3).map(message).collect::<Vec<_>>()).await.unwrap();
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    db
}

#[tokio::test]
async fn a_child_whose_parent_was_not_written_is_pending() {
    let db = prepared().await;
    let report = SCHEMA.verify(&db).await.unwrap();
    assert!(report.is_clean() && report.pending().is_empty(), "{report}");
    assert_eq!(report.to_string(), "nothing found");

    leave_differences(&db, "messages_host", [1], doc! { "bytes": { "plus": [10_i64], "minus": [] } }).await;
    let report = SCHEMA.verify(&db).await.unwrap();
    let [rollup] = report.pending() else { panic!("{report}") };
    assert_eq!((rollup.model, rollup.kind), ("Host", MaintenanceKind::PendingDifference));
    assert!((rollup.found, rollup.documents) == (1, 1) && !report.is_clean(), "{report}");
    assert!(report.to_string().contains(": 1 pending difference: `recover` completes the work"), "{report}");
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    assert!(SCHEMA.verify(&db).await.unwrap().pending().is_empty());
}

/// The marks that the protocols store during their work are listed.
#[tokio::test]
async fn deletes_inserts_moves_and_copies_are_listed() {
    let db = prepared().await;
    for (id, parent) in [(1, None), (2, Some(1)), (3, None)] {
        Category::insert(&db, &Category { id, parent: parent.map(Ref::new), path: TreePath::default() }).await.unwrap();
    }
    Host::update_by_id(1).set(Host::F.name, "b").defer_copies().execute(&db).await.unwrap();
    let mark = mongodb::bson::oid::ObjectId::new();
    let set = async |collection: &str, id: i64, fields: Document| {
        db.collection::<Document>(collection).update_one(doc! { "_id": id }, doc! { "$set": fields }).await.unwrap();
    };
    set("hosts", 1, doc! { "_deleting": { "mark": mark } }).await;
    set("messages", 1, doc! { "_unchecked": mark }).await;
    set("categories", 2, doc! { "_moving": [3_i64] }).await;
    let report = SCHEMA.verify(&db).await.unwrap();
    let mut named: Vec<String> = report.pending().iter().map(ToString::to_string).collect();
    named.sort();
    assert_eq!(
        named,
        [
            "Category.parent: 1 pending move",
            "Host: 1 pending delete",
            "Message.host: 1 source with pending copies",
            "Message: 1 unchecked insert",
        ]
    );
    assert!(!report.is_clean(), "{report}");
}

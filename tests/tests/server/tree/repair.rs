//! Trees that were written past this crate are found and repaired.

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{MaintenanceKind, Throttle, prelude::*, schema};
use schema_tests::{
    database,
    trees::{Category, Comment, Folder, Place, prepare, wrong_in},
};

#[tokio::test]
async fn ancestors_are_written_again_and_cycles_are_named() {
    let db = database().await;
    prepare(&db).await;
    let schema = schema![Folder, Comment, Category, Place];
    let all = (1..=6).map(|id| (id, (id > 1).then(|| id - 1)));
    Folder::insert_many(&db, all.clone().map(|(id, parent)| Folder::new(id, parent))).await.unwrap();
    Comment::insert_many(&db, all.clone().map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    Category::insert_many(&db, all.clone().map(|(id, parent)| Category::new(id, parent))).await.unwrap();
    let name = |id: i64| format!("p{id}");
    Place::insert_many(&db, all.map(|(id, parent)| Place::new(name(id), parent.map(name)))).await.unwrap();
    assert!(schema.verify(&db).await.unwrap().is_clean());
    let raw = |collection: &str| db.collection::<Document>(collection);
    raw("comments").update_one(doc! { "_id": 3 }, doc! { "$set": { "parent": 1_i64 } }).await.unwrap();
    raw("categories").update_one(doc! { "_id": 4 }, doc! { "$set": { "ancestors": [] } }).await.unwrap();
    raw("places").update_one(doc! { "_id": "p5" }, doc! { "$set": { "depth": 9 } }).await.unwrap();
    raw("folders").update_one(doc! { "_id": 2 }, doc! { "$set": { "in": 4_i64 } }).await.unwrap();
    let report = schema.verify(&db).await.unwrap();
    let [ancestors, cycle] = [MaintenanceKind::WrongAncestors, MaintenanceKind::TreeCycle];
    let trees = report.derived().filter(|entry| [ancestors, cycle].contains(&entry.kind));
    let found: Vec<_> = trees.map(|tree| (tree.model, tree.kind, tree.found)).collect();
    // Each document is compared with its own parent: below the changed comment, all documents match their stored
    // parents.
    let expected =
        [("Folder", cycle, 3), ("Comment", ancestors, 1), ("Category", ancestors, 2), ("Place", ancestors, 1)];
    assert_eq!(found, expected, "{report}");
    let repaired = schema.repair(&db, &Throttle::default()).await.unwrap();
    let trees: Vec<_> =
        repaired.entries().iter().map(|tree| (tree.model, tree.kind, tree.found, tree.written)).collect();
    let expected = [
        ("Folder", cycle, 3, 0),
        ("Comment", ancestors, 4, 4),
        ("Category", ancestors, 1, 1),
        ("Place", ancestors, 1, 1),
    ];
    assert_eq!(trees, expected, "{repaired}");
    let examples: Vec<_> = repaired.entries()[0].examples.iter().map(|example| example.id.clone()).collect();
    assert_eq!(examples, [2_i64, 3, 4].map(Bson::from), "{repaired}");
    for collection in ["comments", "categories", "places"] {
        assert_eq!(wrong_in(&db, collection).await, [""; 0], "{collection}");
    }
    Folder::move_to_root(&db, 2).await.unwrap();
    assert!(schema.verify(&db).await.unwrap().is_clean());
    assert_eq!(schema.repair(&db, &Throttle::default()).await.unwrap().to_string(), "nothing to repair");
}

#[tokio::test]
async fn a_cycle_with_paths_is_broken_and_repaired() {
    let db = database().await;
    prepare(&db).await;
    let schema = schema![Folder, Comment, Category, Place];
    Comment::insert_many(&db, (1..=4).map(|id| Comment::new(id, (id > 1).then(|| id - 1)))).await.unwrap();
    let comments = db.collection::<Document>("comments");
    comments.update_one(doc! { "_id": 1 }, doc! { "$set": { "parent": 3_i64 } }).await.unwrap();
    let repaired = schema.repair(&db, &Throttle::default()).await.unwrap();
    // Each of the remaining documents stores the path of its parent.
    let [entry] = repaired.entries() else { panic!("{repaired}") };
    assert_eq!((entry.kind, entry.found, entry.written), (MaintenanceKind::TreeCycle, 1, 0), "{repaired}");
    Comment::move_to_root(&db, 1).await.unwrap();
    schema.repair(&db, &Throttle::default()).await.unwrap();
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
}

#[tokio::test]
async fn a_document_that_the_validator_refuses_is_named_and_the_rest_is_written() {
    let db = database().await;
    prepare(&db).await;
    let schema = schema![Folder, Comment, Category, Place];
    let all = (1..=3).map(|id| Category::new(id, (id > 1).then_some(1)));
    Category::insert_many(&db, all).await.unwrap();
    let categories = db.collection::<Document>("categories");
    categories.update_many(doc! { "_id": { "$gt": 1 } }, doc! { "$set": { "ancestors": [] } }).await.unwrap();
    let invalid = doc! { "$set": { "name": 5 } };
    categories.update_one(doc! { "_id": 2 }, invalid).bypass_document_validation(true).await.unwrap();
    let repaired = schema.repair(&db, &Throttle::default()).await.unwrap();
    let [entry] = repaired.entries() else { panic!("{repaired}") };
    assert_eq!((entry.kind, entry.found), (MaintenanceKind::WrongAncestors, 2), "{repaired}");
    assert_eq!((entry.written, entry.refused, &entry.examples[0].id), (1, 1, &Bson::Int64(2)), "{repaired}");
    let report = schema.verify(&db).await.unwrap();
    assert_eq!(report.derived().map(|entry| entry.found).collect::<Vec<_>>(), [1], "{report}");
}

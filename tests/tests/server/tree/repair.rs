//! Trees that were written past this crate are found and repaired.

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{Throttle, prelude::*, schema, verify::Finding};
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
    let found: Vec<_> = report
        .findings()
        .iter()
        .filter_map(|finding| match finding {
            Finding::BrokenTree(tree) => Some((tree.model, tree.documents, tree.cycles)),
            _ => None,
        })
        .collect();
    // Each document is compared with its own parent: below the changed comment, all documents match their stored parents.
    assert_eq!(found, [("Folder", 0, 3), ("Comment", 1, 0), ("Category", 2, 0), ("Place", 1, 0)], "{report}");
    let repaired = schema.repair(&db, &Throttle::default()).await.unwrap();
    let trees: Vec<_> = repaired.trees.iter().map(|tree| (tree.model, tree.documents, tree.cycles)).collect();
    assert_eq!(trees, [("Folder", 0, 3), ("Comment", 4, 0), ("Category", 1, 0), ("Place", 1, 0)], "{repaired}");
    assert_eq!(repaired.trees[0].examples, [2_i64, 3, 4].map(Bson::from), "{repaired}");
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
    assert_eq!((repaired.trees[0].documents, repaired.trees[0].cycles), (0, 1), "{repaired}");
    Comment::move_to_root(&db, 1).await.unwrap();
    schema.repair(&db, &Throttle::default()).await.unwrap();
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
}

//! An apply does not make stored documents impossible to update.

use mongodb::bson::{Document, doc};
use schema_runtime::{
    apply::{ApplyOptions, Outcome},
    prelude::*,
};
use schema_tests::database;

mod before {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "things")]
    pub(super) struct Thing {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        #[bound(max_len = 9)]
        pub(super) name: String,
    }
}

mod after {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "things")]
    pub(super) struct Thing {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        #[bound(max_len = 9)]
        pub(super) name: String,
        #[index]
        pub(super) stock: i64,
    }
}

async fn prepared() -> (Database, mongodb::Collection<Document>) {
    let db = database().await;
    schema![before::Thing].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    for id in 0..3 {
        before::Thing::insert(&db, &before::Thing { id, name: "bolt".into() }).await.unwrap();
    }
    let things = db.collection("things");
    (db, things)
}

#[tokio::test]
async fn a_required_field_waits_until_the_documents_have_it() {
    let (db, things) = prepared().await;
    let plan = schema![after::Thing].plan(&db).await.unwrap();
    let report = plan.apply(&db).await.unwrap();
    assert!(matches!(report.entries()[0].outcome, Outcome::Refused { documents: 3 }), "{report}");
    assert_eq!(report.done().count(), 1, "the index is made");
    let text = report.to_string();
    assert!(
        text.contains("3 stored documents do not pass, and could not be updated any more (`allow_refused`)"),
        "{text}"
    );
    assert!(matches!(report.complete(), Err(Error::ApplyIncomplete { steps: 1, .. })));
    things.update_one(doc! { "_id": 1_i64 }, doc! { "$set": { "name": "nut" } }).await.expect("it may be updated");

    // A second apply of the plan continues once the documents pass.
    things.update_many(doc! {}, doc! { "$set": { "stock": 0_i64 } }).await.unwrap();
    plan.apply(&db).await.unwrap().complete().unwrap();
    assert!(schema![after::Thing].plan(&db).await.unwrap().is_empty());
    things.insert_one(doc! { "_id": 9_i64, "name": "x" }).await.expect_err("it is judged");
}

#[tokio::test]
async fn asked_to_it_goes_on() {
    let (db, things) = prepared().await;
    let options = ApplyOptions::new().allow_refused(true);
    let plan = schema![after::Thing].plan(&db).await.unwrap();
    plan.apply_with(&db, options).await.unwrap().complete().unwrap();
    things.update_one(doc! { "_id": 1_i64 }, doc! { "$set": { "name": "nut" } }).await.expect_err("it does not pass");
}

/// A document that was invalid under the old validator does not stop the plan.
#[tokio::test]
async fn documents_that_did_not_pass_before_are_none() {
    let (db, things) = prepared().await;
    let long = doc! { "_id": 7_i64, "name": "longer than nine", "stock": 1_i64 };
    things.insert_one(long).bypass_document_validation(true).await.unwrap();
    things.update_many(doc! { "_id": { "$lt": 5 } }, doc! { "$set": { "stock": 0_i64 } }).await.unwrap();
    schema![after::Thing].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    assert!(schema![after::Thing].plan(&db).await.unwrap().is_empty());
}

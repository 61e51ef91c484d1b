//! The server holds every client to the rules of a bucket.

use mongodb::{
    bson::{Document, doc},
    error::{ErrorKind, WriteFailure},
};
use schema_runtime::{
    prelude::*,
    schema,
    verify::{Finding, VerifyReport},
};
use schema_tests::{
    buckets::{Comment, Panel, Post, Reading},
    database,
};

async fn start() -> Database {
    let db = database().await;
    schema![Post, Comment, Panel, Reading].plan(&db).await.unwrap().apply(&db).await.unwrap();
    db
}

/// Returns a bucket with `items` comments of different `_id`s, and with this `count`.
fn bucket(page: i64, items: i64, count: i64) -> Document {
    let item = |id: i64| {
        doc! { "_id": page * 100 + id, "author": "a", "created_on": DateTime::MIN, "tags": [], "likes": 0 }
    };
    let items: Vec<Document> = (0..items).map(item).collect();
    doc! { "post": 7_i64, "page": page, "count": count, "first": DateTime::MIN, "last": DateTime::MIN, "items": items }
}

/// Returns the code of the error of a raw insert.
async fn code(db: &Database, bucket: Document) -> Option<i32> {
    let error = db.collection::<Document>("comments").insert_one(bucket).await.err()?;
    match *error.kind {
        ErrorKind::Write(WriteFailure::WriteError(error)) => Some(error.code),
        other => panic!("{other}"),
    }
}

/// Returns the arrays that are near their bound.
fn near_bound(report: &VerifyReport) -> Vec<String> {
    let fields = report.findings().iter().filter_map(|finding| match finding {
        Finding::ArrayNearBound(found) => Some(found.field.clone()),
        _ => None,
    });
    fields.collect()
}

#[tokio::test]
async fn a_plan_of_buckets_is_empty_when_it_was_applied() {
    let db = start().await;
    let plan = schema![Post, Comment, Panel, Reading].plan(&db).await.unwrap();
    assert!(plan.is_empty(), "{plan}");
    let mut indexes = db.collection::<Document>("readings").list_indexes().await.unwrap();
    let mut found = Vec::new();
    while indexes.advance().await.unwrap() {
        let index = indexes.deserialize_current().unwrap();
        let options = index.options.unwrap_or_default();
        found.push((index.keys, options.unique, options.partial_filter_expression));
    }
    let exists = doc! { "items._id": { "$exists": true } };
    assert_eq!(
        found,
        [
            (doc! { "_id": 1 }, None, None),
            (doc! { "panel": 1, "day": 1, "page": 1 }, Some(true), None),
            (doc! { "items._id": 1 }, Some(true), Some(exists)),
        ]
    );
}

#[tokio::test]
async fn the_server_refuses_what_is_no_bucket() {
    let db = start().await;
    assert_eq!(code(&db, bucket(1, 3, 2)).await, Some(121), "a wrong count");
    assert_eq!(code(&db, bucket(1, 5, 5)).await, Some(121), "over its size");
    let mut without = bucket(1, 0, 0);
    without.remove("items");
    assert_eq!(code(&db, without).await, Some(121), "no items");
    let mut other = bucket(1, 0, 0);
    other.insert("items", "none");
    assert_eq!(code(&db, other).await, Some(121), "items that are no array");
    assert_eq!(code(&db, bucket(1, 4, 4)).await, None);
    assert_eq!(code(&db, bucket(2, 0, 0)).await, None, "an empty one is a bucket");
    assert_eq!(code(&db, bucket(2, 0, 0)).await, Some(11_000), "a page twice");
    let mut twice = bucket(1, 1, 1);
    twice.insert("page", 3_i64);
    assert_eq!(code(&db, twice).await, Some(11_000), "a child in two buckets");
}

#[tokio::test]
async fn verify_finds_full_buckets_healthy() {
    let db = start().await;
    assert_eq!(code(&db, bucket(1, 4, 4)).await, None);
    let report = schema![Post, Comment, Panel, Reading].verify(&db).await.unwrap();
    assert!(!near_bound(&report).contains(&"items".to_owned()), "{report}");
    let mut full = bucket(2, 1, 1);
    full.get_array_mut("items").unwrap()[0].as_document_mut().unwrap().insert("tags", ["t"; 5].to_vec());
    assert_eq!(code(&db, full).await, None);
    let report = schema![Post, Comment, Panel, Reading].verify(&db).await.unwrap();
    assert_eq!(near_bound(&report), ["items.*.tags"]);
}

#[test]
fn a_review_reads_buckets_by_the_parent() {
    let review = schema![Post, Comment, Panel, Reading].review();
    let reads = |model: &str| {
        let model = review.models.iter().find(|other| other.model == model).expect("it is in the schema");
        model.reads.iter().map(|read| (read.name, read.index.clone())).collect::<Vec<_>>()
    };
    assert_eq!(reads("Post"), [("comments", Some("post_1_page_1".to_owned()))]);
    assert_eq!(reads("Panel"), [("readings", Some("panel_1_day_1_page_1".to_owned()))]);
    assert_eq!(reads("Comment"), [("post", Some("_id_".to_owned()))]);
}
